"""Values that have a name of their own, and first values of names."""
