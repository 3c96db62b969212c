"""Rules of an intent that a machine can check, and the check."""
