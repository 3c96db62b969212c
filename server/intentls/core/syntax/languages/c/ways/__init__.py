"""Statements of C as a tree: branches, loops and values in one form."""
