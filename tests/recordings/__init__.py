"""Recorded conversations of LSP, MCP, hooks and the command line with the real program, compared byte for byte.

`conversation` modules say what a client sends; `data/*.txt` holds what was sent and answered; `test_recordings`
says how to make the recordings again, and when that is right. Nothing here imports the program: a rebuild of its
inside must leave every recording as it is.
"""
