"""The ledger: appending, reading back, and the heads of its chains."""
