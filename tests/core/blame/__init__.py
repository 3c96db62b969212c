"""Tests of `core/blame`."""
