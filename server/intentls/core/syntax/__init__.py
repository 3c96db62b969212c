"""Syntax trees in one canonical form, read from tree-sitter grammars."""
