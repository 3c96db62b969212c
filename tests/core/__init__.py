"""The core, without a computer."""
