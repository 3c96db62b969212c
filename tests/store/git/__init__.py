"""Tests of `store/git`."""
