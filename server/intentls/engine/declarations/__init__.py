"""What an editor offers inside the declaration files. Knows no editor: offsets in, spans out (code points)."""
