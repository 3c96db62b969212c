"""The verbs about declared intents: one file each, loaded when it is called."""
