"""Answers as tables and HTML."""
