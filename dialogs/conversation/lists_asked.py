"""Whether words ask to see several items, and how many: `show me all four`, `list the cheapest 3`.

A few patterns over the words; a number in them counts items and is no wish.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..language.numbers import ONES

MOST_LISTED = 12
"""Items that are listed at once."""

_NUMBERS = {
    said: number
    for word, number in ONES.items()
    if 1 < number <= MOST_LISTED
    for said in (word, str(number))
}
_MANY = rf"({'|'.join(_NUMBERS)}|all(?!\s+(?:about|of\s+it)\b))\b(?![-.,:]?\d)"
_THOSE = r"(?:(?:the|those|these|all|of|your|top|first|best|\w{2,}est)\s+)"

_LISTS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:show|see|list|name)\s+(?:(?:me|us|just)\s+)*{_THOSE}*{_MANY}",
        rf"\bwhat\s+(?:are\s+)?(?:the|those|these|all)\s+{_MANY}(?=\s+(?:are|were|that|left)\b|\W*$)",
        rf"\b(?:which|top)\s+{_MANY}(?!\s+of\b)",
        r"(?:^|[.,;:!?]|\b(?:please|you|and|then|just|to))\s*list\s+(?!price)(?=\w)()",
        r"\b(?:give|show|send|want|need|like|have|for)\b[^.?!]{0,20}\b(?:a|the)\s+list\b()",
    )
]
_OF_THEM = re.compile(
    rf"\bof\s+(?:the|those|these)\s+{_MANY}(?=\W*$|\s+(?:is|are|has|have|do|would|can|will)\b)",
    re.IGNORECASE,
)
"""A number that counts the items that something is said of."""


def list_asked(text: str) -> int | None:
    """Return how many items a text asks to see at most; None where it does not."""
    asked = [said[1].casefold() for lists in _LISTS for said in lists.finditer(text)]
    numbers = [_NUMBERS[word] for word in asked if word in _NUMBERS]
    return max(numbers, default=MOST_LISTED) if asked else None


def counted_items(text: str) -> Iterator[tuple[int, int]]:
    """Yield the characters of the numbers by which a text counts items."""
    for lists in (*_LISTS, _OF_THEM):
        for said in lists.finditer(text):
            if said[1].casefold() in _NUMBERS:
                yield said.span(1)
