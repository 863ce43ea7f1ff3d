"""The MCP server: the engine as tools."""
