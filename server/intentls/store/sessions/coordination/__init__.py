"""Who holds which file and works on what: on this machine by files, among machines by PostgreSQL."""
