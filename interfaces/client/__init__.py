"""Clients of a running service: for Python, and one generated for TypeScript."""
