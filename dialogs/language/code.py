"""Markup and statements of programs, which nobody says to an assistant: HTML tags, SQL.

Patterns over a text, each linear in its length.
"""

from __future__ import annotations

import re

_TAGS = (
    "a|abbr|audio|b|base|body|br|button|center|code|div|em|embed|font|form|frame|h[1-6]|head|hr|"
    "html|i|iframe|img|input|li|link|marquee|meta|object|ol|option|p|pre|script|select|small|"
    "span|strong|style|svg|table|tbody|td|textarea|th|title|tr|u|ul|video"
)
_MARKUP = re.compile(
    rf"</?(?:{_TAGS})(?:\s[^<>=]{{0,60}}=[^<>]{{0,300}})?\s?/?>|<!--|<!doctype\b|"
    r"&(?:#x?[0-9a-f]{1,8}|lt|gt|nbsp|quot);|"
    r"%(?:3c|3e|22|27)|(?:%[2-7][0-9a-f][^%\s]{0,40}){2}",
    re.IGNORECASE,
)
"""A tag of HTML, or a comment; marks as addresses and pages write them: `%3C`, `&lt;`."""

_STATEMENT = re.compile(
    r"\bselect\s[^;]{0,200}?(?:\*|\))[^;]{0,100}?\sfrom\s+\w|"
    r"\bselect\s[^;]{1,200}?\sfrom\s+\w+\s+where\s+[\w.]+\s*(?:=|<|>|like\b)|"
    r"\b(?:insert\s+into\s+\w+|update\s+\w+\s+set\s+\w+(?=\s*=)|"
    r"union\s+(?:all\s+)?select)\b|"
    r"['\"]\s*(?:or|and)\s+['\"]?(\w+)['\"]?\s*=\s*['\"]?\1\b|"
    r"(?:^|\d|\w(?=.[\s);]))'(?=\s*[;)]|\s+(?:or|and|union|having|sleep|order)\b)[^'\"]{0,80}--\s*$",
    re.IGNORECASE,
)
"""Words of a statement of SQL, or of one that ends a value and goes on.

Of those that are no plain words: `drop table lamps` may be a wish to have none.
"""


def is_code(text: str) -> bool:
    """Return whether a text holds markup or a statement of SQL."""
    return _MARKUP.search(text) is not None or _STATEMENT.search(text) is not None
