"""What `init` writes, and what `doctor` looks at."""
