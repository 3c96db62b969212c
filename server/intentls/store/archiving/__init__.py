"""Moving the old part of a ledger into an archive."""
