"""Go: what its linters suggest, and their automatic fixes write."""
