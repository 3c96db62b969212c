"""Two ways to write one file that mean the same: each step brings both versions into one form."""
