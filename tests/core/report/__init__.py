"""Tests of `core/report`."""
