"""Use cases of setup: init, doctor, daemon."""
