"""The files of a ledger: lines, archives and their compression."""
