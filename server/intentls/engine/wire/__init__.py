"""Between domain values and JSON: one dialect for every face."""
