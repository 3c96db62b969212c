"""Tests of `engine/intents`."""
