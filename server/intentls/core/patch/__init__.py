"""Unified diffs, git and Codex patches: parsing, and applying hunks to text."""
