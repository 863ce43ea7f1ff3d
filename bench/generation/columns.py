"""The columns that instances are about: those asked about with their operators, and base columns.

Base columns are found by counting the slices of up to 162 combinations, one query each.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from ...catalogs.catalog import Catalog
from ...catalogs.errors import QueryError, excerpt
from ...catalogs.query.schema import ColumnProfile
from ..instances import BASE_COLUMNS
from .slices import ADDITIONAL_COLUMNS, Operator, base_slices

MOST_COLUMNS = 12
"""Columns taken where none are named: those a person has a wish about come first."""

IDENTIFYING = 0.9
"""A whole-number column with so many values a row, and no better direction, counts rows."""


@dataclass(frozen=True)
class AskedColumn:
    """A column and the operators its constraints may have; both bounds where neither is better."""

    name: str
    operators: tuple[Operator, ...]


def is_published(catalog: Catalog) -> bool:
    """Return whether the catalog has all columns of the published instances."""
    return set(catalog.columns) >= {*BASE_COLUMNS, *ADDITIONAL_COLUMNS}


def asked_columns(
    catalog: Catalog, wanted: Sequence[str] | None = None, base: Collection[str] = ()
) -> tuple[AskedColumn, ...]:
    """Return the columns to ask about, those of the base left out.

    `wanted` names them, each with an operator if one is to be fixed: `Year`, `MSRP <=`. Without
    it they are the published ones where the catalog has them all, else by profile: `==` for
    categorical and yes/no columns, for numbers and dates the bound towards the desirable end;
    numbers of which neither end is better get both, dates `>=`. Text and identifiers are left
    out, and what is beyond the first twelve.

    Raises `UnknownColumn`, and `QueryError` for an operator that does not fit or a column named
    twice or in the base as well.
    """
    if wanted is not None:
        return _named_columns(catalog, wanted, base)
    if is_published(catalog):
        return tuple(
            AskedColumn(name, (op,)) for name, op in ADDITIONAL_COLUMNS.items() if name not in base
        )
    profiles = [
        profile
        for profile in catalog.profiles()
        if profile.name not in base and _can_be_asked(profile)
    ]
    # Stable: within the two kinds the catalog's order stays.
    profiles.sort(key=lambda profile: len(operators_of(profile)))
    return tuple(
        AskedColumn(profile.name, operators_of(profile)) for profile in profiles[:MOST_COLUMNS]
    )


def operators_of(profile: ColumnProfile) -> tuple[Operator, ...]:
    """Return the operators that fit a column; none for a column of lists or the like."""
    if profile.kind in ("categorical", "boolean", "text"):
        return ("==",)
    if profile.kind not in ("numeric", "date"):
        return ()
    if profile.desirable is not None:
        return ("<=",) if profile.desirable == "low" else (">=",)
    return (">=",) if profile.kind == "date" else (">=", "<=")


def _can_be_asked(profile: ColumnProfile) -> bool:
    if profile.kind == "text" or profile.distinct < 2:
        return False
    operators = operators_of(profile)
    return bool(operators) and not (len(operators) > 1 and _counts_rows(profile))


def _counts_rows(profile: ColumnProfile) -> bool:
    whole = isinstance(profile.minimum, int)
    return whole and profile.distinct >= IDENTIFYING * (profile.rows - profile.nulls)


def _named_columns(
    catalog: Catalog, wanted: Sequence[str], base: Collection[str]
) -> tuple[AskedColumn, ...]:
    columns: dict[str, AskedColumn] = {}
    for text in wanted:
        column = _asked_column(catalog, text)
        if column.name in columns or column.name in base:
            where = "named twice" if column.name in columns else "in the base as well"
            raise QueryError(f"column {excerpt(column.name)} is {where}", hint="name it once")
        columns[column.name] = column
    return tuple(columns.values())


def _asked_column(catalog: Catalog, text: str) -> AskedColumn:
    """Return one column as a user names it; a column of exactly that name comes first."""
    split = None if text in catalog.columns else re.fullmatch(r"(.+?)\s*(==|>=|<=)\s*", text)
    profile = catalog.profile(catalog.schema.find(split[1] if split else text).name)
    allowed = _allowed(profile)
    if not split:
        if not allowed:
            problem = f"column {excerpt(profile.name)} of type {profile.sql_type} cannot be asked"
            raise QueryError(problem, hint="name another")
        return AskedColumn(profile.name, operators_of(profile))
    for op in allowed:
        if op == split[2]:
            return AskedColumn(profile.name, (op,))
    hint = f"give {' or '.join(allowed) or 'another column'}"
    raise QueryError(f"{excerpt(text)} does not fit a {profile.kind} column", hint=hint)


def _allowed(profile: ColumnProfile) -> tuple[Operator, ...]:
    ordered = profile.kind in ("numeric", "date")
    return ("==", ">=", "<=") if ordered else operators_of(profile)


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
    columns: Sequence[str] | None,
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
    named = asked_columns(catalog, columns) if columns else ()
    asked_names = {column.name for column in named}
    if is_published(catalog) and asked_names.isdisjoint(BASE_COLUMNS):
        return BASE_COLUMNS
    profiles = [profile for profile in catalog.profiles() if profile.name not in asked_names]
    tried = _tried(profiles, fewest)
    chosen = _most_slices(catalog, tried, columns, size, fewest, most)
    if not chosen:
        left = max((len(asked_columns(catalog, columns, (name,))) for name in tried), default=0)
        if 0 < left < size:
            problem = f"{size} columns are asked about, and beside any base there are {left}"
            raise QueryError(problem, hint="take a smaller setting, or name base and columns")
        problem = f"no categorical columns of this catalog give slices of {fewest} to {most} rows"
        raise QueryError(problem, hint="name base columns, or allow other sizes")
    return chosen


def _tried(profiles: Sequence[ColumnProfile], fewest: int) -> list[str]:
    """Return the columns to combine: those of few values and some of more, in catalog order."""
    able = [
        profile
        for profile in profiles
        if profile.kind in ("categorical", "boolean")
        and profile.distinct >= 2
        and profile.rows >= fewest
    ]
    by_values = sorted(able, key=lambda profile: profile.distinct)
    last = len(by_values) - 1
    places = {round(last * step / (MOST_TRIED - 1)) for step in range(MOST_TRIED)}
    chosen = {by_values[place].name for place in places} if by_values else set[str]()
    return [profile.name for profile in able if profile.name in chosen]


def _most_slices(
    catalog: Catalog,
    tried: Sequence[str],
    wanted: Sequence[str] | None,
    size: int,
    fewest: int,
    most: int,
) -> tuple[str, ...]:
    best: tuple[int, tuple[str, ...]] = (0, ())
    for width in range(1, MOST_BASE_COLUMNS + 1):
        for columns in combinations(tried, width):
            if len(asked_columns(catalog, wanted, columns)) < size:
                continue
            slices = len(base_slices(catalog, columns, fewest=fewest, most=most))
            # The first of equals stays: fewer columns, then the catalog's order.
            best = max(best, (slices, columns), key=lambda candidate: candidate[0])
        if best[0] >= ENOUGH_SLICES:
            break
    return best[1]
