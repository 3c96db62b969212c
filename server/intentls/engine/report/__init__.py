"""Collects what a report says: of a branch from its check, of an intent from the ledger."""
