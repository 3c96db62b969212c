"""Names that changed: what proves that all uses of a name followed, in one file and in the whole repository."""
