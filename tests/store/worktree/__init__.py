"""The working tree around a command, room by room."""
