"""Requests: what is asked for, how it is planned, and what it needs of a person or an editor."""
