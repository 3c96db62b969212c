"""Declared files: intents, policy, ignore rules, and a cache of their parse."""
