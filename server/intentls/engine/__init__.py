"""The use cases: the only floor that faces call."""
