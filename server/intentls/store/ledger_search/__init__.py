"""An index over the ledger, and queries that use it."""
