"""Wishes of two columns of which one is enough: `dance or boxing`, of a kind and of a title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...catalogs.errors import QueryError
from ...catalogs.versions.reader import CatalogReader
from ..extraction.extracted import Extracted
from ..language.either import either_of
from .parts import place_of

_OR = re.compile(r"\W*\bor\s+(?:(?:an?|the|some|maybe|even)\s+)?", re.IGNORECASE)

_WANTED = ("==", "in", "contains", "contains any")


def with_choices(
    text: str, parts: Sequence[Extracted], catalog: CatalogReader
) -> tuple[Extracted, ...]:
    """Return what was found in a turn, two wishes with nothing but an `or` between them as one.

    Those of one column are a choice already; what the catalog cannot ask as one stays two wishes.
    """
    joined: list[Extracted] = []
    for part in sorted(parts, key=place_of):
        last = joined[-1] if joined else None
        if last is not None and _is_choice(text, last, part):
            try:
                either = either_of([last.constraint, part.constraint], catalog)
            except (QueryError, ValueError):
                joined.append(part)
                continue
            (start, _), (_, end) = place_of(last), place_of(part)
            evidence = replace(part.evidence, start=start, end=end, text=text[start:end])
            part = replace(part, constraint=either, evidence=evidence)
            joined.pop()
        joined.append(part)
    return tuple(joined)


def _is_choice(text: str, one: Extracted, other: Extracted) -> bool:
    columns = {one.constraint.column, other.constraint.column}
    wanted = all(part.constraint.op in _WANTED for part in (one, other))
    between = text[place_of(one)[1] : place_of(other)[0]]
    return wanted and None not in columns and len(columns) == 2 and bool(_OR.fullmatch(between))
