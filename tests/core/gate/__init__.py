"""Tests of `core/gate`."""
