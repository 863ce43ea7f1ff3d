"""A conversation about an empty query: session, preferences, roles."""
