"""Segments of the ledger."""
