"""Go: its adapter, and the forms that mean the same in it."""
