"""Wishes that one of several columns meets: `culture, or something by boat`.

A wish names one column, so one that any of several may meet is a condition in SQL, written and
known again here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from ...catalogs.errors import ConcedeError
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.where_clause import parse_where
from ...catalogs.versions.reader import CatalogReader

_OR = ") OR ("


def either_of(wishes: Iterable[Constraint], catalog: CatalogReader, **more: Any) -> Constraint:
    """Return the wish that one of some wishes holds; `more` are further fields of it.

    Raises `QueryError` for what the catalog cannot bear, and `ValueError` for less than two and
    for what would not be known again.
    """
    ways = list(dict.fromkeys(part for wish in wishes for part in _parts(wish)))
    texts = [catalog.bind(way).text for way in ways]
    either = Constraint(column=None, op="sql", value=f"({_OR.join(texts)})", **more)
    if len(alternatives(either)) != len(ways) or len(ways) < 2:
        raise ValueError("no choice that is known again")
    return either


def _parts(wish: Constraint) -> Sequence[Constraint]:
    """Return a wish for any of several entries as one for each, others as they are, plain."""
    ways = alternatives(wish)
    if wish.op == "contains any":
        ways = [Constraint(column=wish.column, op="contains", value=v) for v in wish.values]
    plain = Constraint(column=wish.column, op=wish.op, value=wish.value)
    return ways or (plain,)


def without(
    wish: Constraint, is_gone: Callable[[Constraint], bool], catalog: CatalogReader
) -> Constraint | None:
    """Return what is left of a wish for one of several without some ways; None for nothing."""
    ways = alternatives(wish)
    left = [way for way in ways if not is_gone(way)]
    if len(left) == len(ways):
        return wish
    more = importance_of(wish)
    if len(left) > 1:
        return either_of(left, catalog, **more)
    return left[0].model_copy(update=more) if left else None


def importance_of(wish: Constraint) -> dict[str, Any]:
    """Return how much a wish matters, as fields of another that takes its place."""
    weight = {} if wish.weight is None else {"weight": wish.weight}
    return {"hard": wish.hard, **weight}


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
