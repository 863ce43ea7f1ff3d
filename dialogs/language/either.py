"""Wishes that one of several columns meets: `culture, or something by boat`.

A wish names one column, so one that any of several may meet is a condition in SQL, written and
known again here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from ...catalogs.errors import ConcedeError
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.where_clause import parse_where
from ...catalogs.versions.reader import CatalogReader

_OR = ") OR ("


def either_of(wishes: Iterable[Constraint], catalog: CatalogReader, **more: Any) -> Constraint:
    """Return the wish that one of some wishes holds; `more` are further fields of it.

    Raises `QueryError` for what the catalog cannot bear, and `ValueError` for less than two.
    """
    texts = [catalog.bind(wish).text for wish in wishes]
    if len(texts) < 2:
        raise ValueError("no choice")
    return Constraint(column=None, op="sql", value=f"({_OR.join(texts)})", **more)


def alternatives(wish: Constraint) -> Sequence[Constraint]:
    """Return the wishes of which one has to hold; none for any other wish."""
    return _read(str(wish.value)) if wish.op == "sql" else ()


@lru_cache(maxsize=256)
def _read(text: str) -> Sequence[Constraint]:
    parts = text[1:-1].split(_OR) if text[:1] + text[-1:] == "()" else []
    try:
        read = [parse_where(part) for part in parts]
    except ConcedeError:
        return ()
    plain = all(len(part) == 1 and part[0].column is not None for part in read)
    return tuple(part[0] for part in read) if plain and len(read) > 1 else ()
