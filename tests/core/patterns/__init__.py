"""Tests of `core/patterns`."""
