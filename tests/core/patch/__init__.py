"""Tests of `core/patch`."""
