"""Tests of `engine/edits`."""
