"""The faces, below the wire."""
