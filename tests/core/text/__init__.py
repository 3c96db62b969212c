"""Tests of `core/text`."""
