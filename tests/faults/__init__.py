"""Kills, full disks and other trouble, tried on a real server."""
