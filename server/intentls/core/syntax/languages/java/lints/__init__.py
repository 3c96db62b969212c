"""Java: what its inspections find needless, and what they suggest."""
