"""Sessions, leases and what they remember in `.state/`."""
