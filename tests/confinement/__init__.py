"""Commands that `intentls run` confines."""
