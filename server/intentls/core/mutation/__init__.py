"""Mutation classes: what kind of change a change is."""
