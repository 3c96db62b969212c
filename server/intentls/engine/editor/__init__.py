"""Editor features: diagnostics, quick fixes, changed files."""
