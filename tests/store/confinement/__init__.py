"""Tests of `store/confinement`."""
