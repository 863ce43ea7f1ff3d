"""Rival methods, one a file; the registry lists which of them a section times."""
