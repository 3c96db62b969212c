"""Agents: their hooks' events and installation."""
