"""Tests of `engine/agents`."""
