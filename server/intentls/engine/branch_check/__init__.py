"""Judging what a branch really changed, against the ledger and the intents that it cites."""
