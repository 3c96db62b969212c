"""How right intentls is, measured: `make accuracy`, described in docs/internals/accuracy.md."""
