"""Tests of `engine/wire/report`."""
