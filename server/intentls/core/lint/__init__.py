"""Linters' output: its formats, and which problems a change introduced."""
