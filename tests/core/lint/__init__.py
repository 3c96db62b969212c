"""Tests of `core/lint`."""
