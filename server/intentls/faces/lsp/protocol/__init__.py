"""JSON-RPC and LSP mechanics: what pygls leaves to be done or does otherwise."""
