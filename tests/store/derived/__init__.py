"""Tests of `store/derived`."""
