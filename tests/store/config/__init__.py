"""Tests of `store/config`."""
