"""What a client can call, in one table that every face reads: LSP's commands and MCP's tools are rows of it."""
