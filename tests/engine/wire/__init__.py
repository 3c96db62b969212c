"""Tests of `engine/wire`."""
