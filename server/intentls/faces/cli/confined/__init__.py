"""`intentls run`: starting a confined command, and saying what came of it."""
