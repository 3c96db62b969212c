"""What git knows: commits, versions, status, trees, ledgers at a commit."""
