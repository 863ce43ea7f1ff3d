"""Scores and distances of rows: one interface, a NumPy and a kernel backend."""
