"""Tests of `engine/tools`."""
