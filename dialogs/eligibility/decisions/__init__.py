"""Decisions by conversation: programs decide, and the facts they miss become questions."""
