"""Tests of `engine/workspace`."""
