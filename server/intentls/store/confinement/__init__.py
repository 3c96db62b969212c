"""Running a command so that the kernel keeps it in a scope."""
