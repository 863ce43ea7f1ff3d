"""Statements of SQL, and what addresses are written in, which nobody says to an assistant.

Two patterns over a text, each linear in its length. Sentences that hold tags of HTML, or verbs of
SQL (`drop table lamps`), are read as sentences.
"""

from __future__ import annotations

import re

_ENCODED = re.compile(r"%(?:3c|3e|22|27)|(?:%[2-7][0-9a-f][^%\s]{0,40}){2}", re.IGNORECASE)
"""Marks as addresses write them: `%3Cb%3E`."""

_STATEMENT = re.compile(
    r"\bselect\s[^;]{0,200}?(?:\*|\))[^;]{0,100}?\sfrom\s+\w|"
    r"\bselect\s[^;]{1,200}?\sfrom\s+\w+\s+where\s+[\w.]+\s*(?:=|<|>|like\b)|"
    r"\b(?:insert\s+into\s+\w+|update\s+\w+\s+set\s+\w+(?=\s*=)|union\s+(?:all\s+)?select)\b|"
    r"['\"]\s*(?:or|and)\s+['\"]?(\w+)['\"]?\s*=\s*['\"]?\1\b|"
    r"(?:^|\d|\w(?=.[\s);]))'(?=\s*[;)]|\s+(?:or|and|union|having|sleep|order)\b)[^'\"]{0,80}--\s*$",
    re.IGNORECASE,
)
"""Words of a statement of SQL, or of one that ends a value and goes on."""


def is_code(text: str) -> bool:
    """Return whether a text holds a statement of SQL, or marks as addresses write them."""
    return _ENCODED.search(text) is not None or _STATEMENT.search(text) is not None
