"""Tests of `engine/editor`."""
