"""Tests of `store/yaml`."""
