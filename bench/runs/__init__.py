"""Runs and results on disk."""
