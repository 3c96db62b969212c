"""The real server process, driven from outside."""
