"""Folders of Parquet files, a partition each, read where they lie."""
