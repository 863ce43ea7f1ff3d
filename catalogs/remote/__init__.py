"""Catalogs that stay in their database: rows are asked about where they lie, through Ibis."""
