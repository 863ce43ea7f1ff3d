"""Which columns cut a catalog into base slices, where nobody says."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ...catalogs.catalog import Catalog
from ...catalogs.columns import ColumnProfile
from ...catalogs.errors import QueryError
from ..instances import BASE_COLUMNS
from ..slices import base_slices
from .asked_columns import asked_columns, is_published

MOST_BASE_COLUMNS = 4
"""As many as AWARE-US has (section 2.1)."""

MOST_TRIED = 8
"""Columns whose combinations are looked at: 162 of them at most."""

ENOUGH_SLICES = 20
"""More columns in the base leave fewer to ask about, so the first combination with so many
slices ends the search for larger ones."""


def base_columns(
    catalog: Catalog,
    wanted: Sequence[str] | None,
    asked: Sequence[str] | None,
    size: int,
    *,
    fewest: int,
    most: int,
) -> tuple[str, ...]:
    """Return the columns whose values define base slices of `fewest` to `most` rows.

    `wanted` says so; else they are the published ones where the catalog has them all and none
    of them is `asked` about; else the categorical and yes/no columns, up to four, whose values
    give most eligible slices, as few columns as give twenty, and at least `size` left to ask
    about. Raises `UnknownColumn`, and `QueryError` where no combination gives a slice.
    """
    if wanted is not None:
        return tuple(dict.fromkeys(catalog.schema.find(name).name for name in wanted))
    taken = {one.name for one in asked_columns(catalog, asked)} if asked is not None else set[str]()
    if is_published(catalog) and taken.isdisjoint(BASE_COLUMNS):
        return BASE_COLUMNS
    profiles = [one for one in catalog.profiles() if one.name not in taken]
    tried = _tried(profiles, fewest)
    found = _most_slices(catalog, tried, asked, size, fewest, most)
    if not found:
        left = max((len(asked_columns(catalog, asked, (one,))) for one in tried), default=0)
        if 0 < left < size:
            problem = f"{size} columns are asked about, and beside any base there are {left}"
            raise QueryError(problem, hint="take a smaller setting, or name base and columns")
        problem = f"no categorical columns of this catalog give slices of {fewest} to {most} rows"
        raise QueryError(problem, hint="name base columns, or allow other sizes")
    return found


def _tried(profiles: Sequence[ColumnProfile], fewest: int) -> list[str]:
    """Return the columns to combine: those of few values and some of more, in catalog order."""
    able = [
        one
        for one in profiles
        if one.kind in ("categorical", "boolean") and one.distinct >= 2 and one.rows >= fewest
    ]
    by_values = sorted(able, key=lambda one: one.distinct)
    last = len(by_values) - 1
    places = {round(last * step / (MOST_TRIED - 1)) for step in range(MOST_TRIED)}
    chosen = {by_values[place].name for place in places} if by_values else set[str]()
    return [one.name for one in able if one.name in chosen]


def _most_slices(
    catalog: Catalog,
    tried: Sequence[str],
    asked: Sequence[str] | None,
    size: int,
    fewest: int,
    most: int,
) -> tuple[str, ...]:
    best: tuple[int, tuple[str, ...]] = (0, ())
    for width in range(1, MOST_BASE_COLUMNS + 1):
        for columns in combinations(tried, width):
            if len(asked_columns(catalog, asked, columns)) < size:
                continue
            slices = len(base_slices(catalog, columns, fewest=fewest, most=most))
            # The first of equals stays: fewer columns, then the catalog's order.
            best = max(best, (slices, columns), key=lambda one: one[0])
        if best[0] >= ENOUGH_SLICES:
            break
    return best[1]
