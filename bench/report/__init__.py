"""Runs and results as one page: figures with intervals, pairs compared, each conversation."""
