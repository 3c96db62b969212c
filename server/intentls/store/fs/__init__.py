"""The file system: atomic writes, locks, directories that symbolic links cannot swap."""
