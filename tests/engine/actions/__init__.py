"""Tests of `engine/actions`."""
