"""The working tree before and after a command, and which of its changes git made."""
