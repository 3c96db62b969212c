"""Signed segments: what a signature says, who may sign, and whether it is right."""
