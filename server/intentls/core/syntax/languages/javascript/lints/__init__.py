"""What linters of JavaScript suggest, statement by statement and value by value."""
