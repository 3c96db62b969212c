"""Intents: scope, `.intentignore`, leases, owners, and the context that a session gets."""
