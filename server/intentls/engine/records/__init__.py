"""Records and derived files that follow a change."""
