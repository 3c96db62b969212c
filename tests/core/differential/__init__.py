"""Generated comparisons with the programs whose semantics the core promises: minimatch and git."""
