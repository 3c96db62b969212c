"""Names of Go: in which module and package a file is, and what its names refer to."""
