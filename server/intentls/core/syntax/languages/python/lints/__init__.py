"""What linters of Python suggest, condition by condition, call by call and statement by statement."""
