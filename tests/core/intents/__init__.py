"""Tests of `core/intents`."""
