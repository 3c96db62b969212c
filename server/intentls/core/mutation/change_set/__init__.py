"""What a whole change set, and the repository around it, prove about each of its files."""
