"""Tests of `store/questions`."""
