"""Queries and constraints, and how they bind to a schema."""
