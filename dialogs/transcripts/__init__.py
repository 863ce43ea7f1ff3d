"""Transcripts and episodes on disk."""
