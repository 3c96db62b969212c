"""What would be true on paper: no disk, no clock, no protocol."""
