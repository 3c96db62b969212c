"""Guarded edits, reads and saves."""
