"""What a report says: facts of the ledger and of a check as values, without a form."""
