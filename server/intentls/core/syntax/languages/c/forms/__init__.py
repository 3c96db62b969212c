"""Forms of C that do the same: each brings a whole file, or one of its functions, into one form."""
