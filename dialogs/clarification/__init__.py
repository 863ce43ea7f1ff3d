"""What a request leaves unclear on a catalog, and the short questions that settle it."""
