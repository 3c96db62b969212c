"""The compiled client of the hook daemon, its build, and the wheels that bring it along."""
