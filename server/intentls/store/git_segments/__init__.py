"""What git has, and had, of the segments of a ledger."""
