"""Tests of `core/derived`."""
