"""Functions that both versions of a file have: a call in the place of their body, or their body in that of a call."""
