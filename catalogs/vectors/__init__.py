"""Columns and row sets in memory, and the indexes over them."""
