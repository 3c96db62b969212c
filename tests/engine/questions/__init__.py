"""Tests of questions between machines."""
