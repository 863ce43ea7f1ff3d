"""The DuckDB side of a write: versioned table, write buffer, durable file."""
