"""The tests mirror the floors of the house; tests.support holds what they share."""
