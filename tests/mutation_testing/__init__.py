"""Mutation testing: does a test notice when one expression or statement of a room is wrong? See `__main__`."""
