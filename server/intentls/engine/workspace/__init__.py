"""The engine, its workspaces, and what they hold: configuration, contents, leases, paths."""
