"""Tests of `store/sessions`."""
