"""Use cases of intents: select, context, expand, set status, accept, lessons."""
