"""Other processes: running, detaching and watching them; linters and acceptance commands."""
