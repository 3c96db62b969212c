"""Tests of `core/branch`."""
