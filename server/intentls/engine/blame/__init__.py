"""Blame: the history of a file from ledger, git and other files."""
