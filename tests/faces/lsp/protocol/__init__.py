"""Tests of `faces/lsp/protocol`."""
