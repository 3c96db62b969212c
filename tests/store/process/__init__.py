"""Tests of `store/process`."""
