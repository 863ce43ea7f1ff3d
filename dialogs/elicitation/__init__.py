"""Asking before choosing: which question decides most, and what an answer says."""
