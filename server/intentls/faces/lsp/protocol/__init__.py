"""JSON-RPC and LSP mechanics: what pygls does not do, or does otherwise."""
