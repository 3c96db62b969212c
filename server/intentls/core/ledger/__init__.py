"""The ledger's records: their shape, hash chain, verification, archive markers."""
