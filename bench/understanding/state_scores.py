"""How well states and acts were read: the figures that are published for conversations.

A value of a closed list is right where it is one of the spellings; free text is as right as its
words, in any order, are alike (rapidfuzz's `token_sort_ratio`), the most like spelling counting.
"""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.fuzz import token_sort_ratio


def matched(value: str, spellings: Sequence[str], *, fuzzy: bool) -> float:
    """Return how right a value is, 0 to 1, beside the spellings of the true one."""
    said = value.strip().lower()
    if not fuzzy:
        return float(any(said == spelling.strip().lower() for spelling in spellings))
    return max((token_sort_ratio(said, s.strip().lower()) for s in spellings), default=0.0) / 100
