"""Pure logic: no disk, no clock, no protocol."""
