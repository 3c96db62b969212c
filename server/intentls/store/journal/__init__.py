"""The write-ahead journal and the recovery from it."""
