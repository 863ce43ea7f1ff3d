"""Extraction: from what was said to constraints on a catalog, each with its evidence."""
