"""Requests in many wordings over many invented catalogs, with what each means."""
