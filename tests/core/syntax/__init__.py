"""Tests of `core/syntax`."""
