"""The gate: actions, checks, refusals."""
