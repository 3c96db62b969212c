"""The language server's own parts."""
