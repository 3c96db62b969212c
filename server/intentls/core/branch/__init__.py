"""What a branch changed against what its records explain."""
