"""The content of the derived files: intent map and lessons."""
