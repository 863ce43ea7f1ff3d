"""Words that deny what they stand with, in a text and in a column's name: `non_smoking`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...catalogs.query.schema import name_words

DENIALS = frozenset("no not non without free never un nothing none sans zero".split())
"""Words that deny what a flag's words name, in them or in the column's name."""

ALIKE = 4
"""Letters that two words of one kind begin with, at most: `smoker` and `smoking`."""

_JOINED = re.compile("(?:non|un).{3,}|.{3,}(?:free|less)")
"""A word that denies a part of itself: `nonsmoking`, `sugarfree`."""


@lru_cache(maxsize=4_096)
def denied_in_name(column: str) -> tuple[str, ...]:
    """Return the words that a column's name denies, none of `free_parking` and `no_of_rooms`."""
    words = tuple(name_words(column))
    if len(words) > 1 and words[-1] == "free":
        return words[:-1]
    if len(words) > 1 and words[0] in DENIALS - {"free"} and words[1] != "of":
        return words[1:]
    return ()


_CLOSED = frozenset("closed closing shut off except excluded excludes".split())
"""Words of a column's name by which it lists when, or for what, something is not to be had."""

_CLOSES = _CLOSED | {"close", "closes", "shuts", "exclude"}


def is_of_what_is_not(said: Iterable[str], column: str) -> bool:
    """Return whether a value of a column is named, with some words, as one wished otherwise.

    Who comes on Monday wants nothing that is `closed on` it, unless they say `closed` themselves;
    of a column `not on` what is denied is wished for.
    """
    words = name_words(column)
    if words[:1] == ["not"]:
        return True
    return not _CLOSED.isdisjoint(words) and _CLOSES.isdisjoint(said)


def names_denied(said: Iterable[str], column: str) -> bool:
    """Return whether words name what a column's name denies, and do not deny it themselves."""
    words, denied = list(said), denied_in_name(column)
    if not DENIALS.isdisjoint(words) or any(map(_JOINED.fullmatch, words)):
        return False
    return any(_alike(word, other) for word in words for other in denied)


def _alike(one: str, other: str) -> bool:
    begins = min(ALIKE, len(one), len(other))
    return one[:begins] == other[:begins]
