"""What git has, and had, of the segments of a ledger, and the key that git signs with."""
