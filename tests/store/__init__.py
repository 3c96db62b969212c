"""The store, against a real disk."""
