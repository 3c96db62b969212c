"""Signatures of segments."""
