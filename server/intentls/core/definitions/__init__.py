"""Definitions (functions, classes, ...) of a source, with hashes by which each is found again, wherever it went."""
