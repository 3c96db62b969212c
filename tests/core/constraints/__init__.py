"""Tests of `core/constraints`."""
