"""Guesses of what columns are for, by names and profiles: which name an item, tell items apart,
hold its picture and its page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .schema import ColumnProfile, name_words

MOSTLY_EMPTY = 0.9
IDENTIFIERS = frozenset("id uuid guid sku ean upc isbn url uri link href image photo hash".split())
TITLES = frozenset("name title label headline".split())
KEYS = ("sku", "id", "ean", "upc", "isbn", "gtin", "asin", "uuid", "guid", "code")
IMAGES = frozenset("image images img photo picture thumbnail".split())
LINKS = frozenset("url uri link href page website".split())


def is_secondary(profile: ColumnProfile) -> bool:
    """Return whether a column identifies, or hardly any item has it."""
    empty = profile.nulls > MOSTLY_EMPTY * profile.rows
    return empty or bool(IDENTIFIERS.intersection(name_words(profile.name)))


def title_columns(profiles: Sequence[ColumnProfile]) -> tuple[str, ...]:
    """Return the columns that name an item: one called a name, or the first two of text."""
    texts = [
        profile
        for profile in profiles
        if profile.kind in ("text", "categorical")
        and profile.distinct > 1
        and not is_secondary(profile)
    ]
    named = [profile.name for profile in texts if TITLES.intersection(name_words(profile.name))]
    return tuple(named[:1] or [profile.name for profile in texts[:2]])


def key_column(profiles: Iterable[ColumnProfile]) -> str | None:
    """Return the column that tells items apart: called like that, another in every row."""
    apart = [each for each in profiles if each.rows == each.distinct > 0]
    ranked = [(KEYS.index(word), each.name) for each in apart for word in name_words(each.name)
              if word in KEYS]  # fmt: skip
    return min(ranked)[1] if ranked else None


def picture_column(profiles: Iterable[ColumnProfile]) -> str | None:
    """Return the column of pictures, by its name."""
    return _called(profiles, IMAGES)


def link_column(profiles: Iterable[ColumnProfile]) -> str | None:
    """Return the column of items' pages, by its name."""
    images = [*profiles]
    return _called((each for each in images if not _is_called(each, IMAGES)), LINKS)


def _called(profiles: Iterable[ColumnProfile], words: frozenset[str]) -> str | None:
    return next((each.name for each in profiles if _is_called(each, words)), None)


def _is_called(profile: ColumnProfile, words: frozenset[str]) -> bool:
    is_text = profile.kind in ("text", "categorical")
    return is_text and bool(words.intersection(name_words(profile.name)))
