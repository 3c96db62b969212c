"""Use cases of the ledger: queries, status, archive, import."""
