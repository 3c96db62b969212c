"""Tests of `engine/blame`."""
