"""Tests of `store/fs`."""
