"""The demo: a real server, a real repository, and a session that proves what it says."""
