"""Thin faces on one engine: convert, call, convert back. No face knows another."""
