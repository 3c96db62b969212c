"""Real editors."""
