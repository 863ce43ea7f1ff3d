"""Which columns additional constraints are about, and with which operators."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ...catalogs.catalog import Catalog
from ...catalogs.columns import ColumnProfile
from ...catalogs.errors import QueryError, shown
from ..instances import BASE_COLUMNS
from ..slices import ADDITIONAL_COLUMNS, Operator

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
        return _named(catalog, wanted, base)
    if is_published(catalog):
        return tuple(
            AskedColumn(name, (op,)) for name, op in ADDITIONAL_COLUMNS.items() if name not in base
        )
    profiles = [one for one in catalog.profiles() if one.name not in base and _can_be_asked(one)]
    # Stable: within the two kinds the catalog's order stays.
    profiles.sort(key=lambda one: len(operators_of(one)))
    return tuple(AskedColumn(one.name, operators_of(one)) for one in profiles[:MOST_COLUMNS])


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


def _named(
    catalog: Catalog, wanted: Sequence[str], base: Collection[str]
) -> tuple[AskedColumn, ...]:
    found: dict[str, AskedColumn] = {}
    for text in wanted:
        one = _asked(catalog, text)
        if one.name in found or one.name in base:
            where = "named twice" if one.name in found else "in the base as well"
            raise QueryError(f"column {shown(one.name)} is {where}", hint="name it once")
        found[one.name] = one
    return tuple(found.values())


def _asked(catalog: Catalog, text: str) -> AskedColumn:
    """Return one column as a user names it; a column of exactly that name comes first."""
    split = None if text in catalog.columns else re.fullmatch(r"(.+?)\s*(==|>=|<=)\s*", text)
    profile = catalog.profile(catalog.schema.find(split[1] if split else text).name)
    allowed = _allowed(profile)
    if not split:
        if not allowed:
            problem = f"column {shown(profile.name)} of type {profile.sql_type} cannot be asked"
            raise QueryError(problem, hint="name another")
        return AskedColumn(profile.name, operators_of(profile))
    for op in allowed:
        if op == split[2]:
            return AskedColumn(profile.name, (op,))
    hint = f"give {' or '.join(allowed) or 'another column'}"
    raise QueryError(f"{shown(text)} does not fit a {profile.kind} column", hint=hint)


def _allowed(profile: ColumnProfile) -> tuple[Operator, ...]:
    ordered = profile.kind in ("numeric", "date")
    return ("==", ">=", "<=") if ordered else operators_of(profile)
