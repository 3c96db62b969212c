"""YAML with positions, schemas and minimal text edits."""
