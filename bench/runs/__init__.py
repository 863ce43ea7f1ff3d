"""Runs on disk: one JSON lines file with the transcript of every episode."""
