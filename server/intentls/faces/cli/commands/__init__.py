"""One file per verb; each has a `command` that returns an exit code."""
