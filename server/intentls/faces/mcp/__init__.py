"""The MCP face: the engine's use cases as tools, resources and a prompt, over the official SDK."""
