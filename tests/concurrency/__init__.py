"""Many real servers at once, on one root."""
