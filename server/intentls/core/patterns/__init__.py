"""Patterns of paths: scope globs (minimatch), `.intentignore` (gitignore), protected paths."""
