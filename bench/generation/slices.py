"""Base slices of a catalog and the candidate predicates over each, as AWARE-US builds them.

Section 2.1: a base slice fixes a value of every base column and is neither too small nor too
large. Section 2.3 and Algorithm 1, BuildCandidatePredicates: equality with the values that
have support in the slice, and bounds at quantiles of the slice. The published instances show
what the paper leaves open: bounds are rounded to whole numbers; those of S1 and S3 all lie at
the 0.6, 0.7, 0.8 and 0.9 quantiles (MSRP, an upper bound, at 0.4 to 0.1); no predicate holds
for fewer than three rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np

from ...catalogs.catalog import Catalog
from ...catalogs.errors import QueryError
from ...catalogs.query.constraint import Constraint, Scalar
from ...catalogs.query.predicate import quoted
from ...catalogs.vectors.row_set import RowSet
from ...solvers.enumeration.candidates import Candidates
from ..instances import BASE_COLUMNS, MISSING

Operator = Literal["==", ">=", "<="]
Strictness = Sequence[float] | Literal["every value"]

ADDITIONAL_COLUMNS: Mapping[str, Operator] = {
    "Model": "==",
    "Vehicle Size": "==",
    "Engine Fuel Type": "==",
    "Year": ">=",
    "city mpg": ">=",
    "highway MPG": ">=",
    "MSRP": "<=",
}
"""The columns and operators of the published additional constraints."""

FEWEST_ROWS = 35
MOST_ROWS = 350
"""Bounds on |U|; the smallest published slice has 35 rows."""

STRICTNESS = (0.6, 0.7, 0.8, 0.9)
"""How much of the slice a bound leaves out: the quantile of >=, one minus that of <=."""

EVERY_VALUE = "every value"
FEWEST_SUPPORT = 3


@dataclass(frozen=True)
class Slice:
    """A base slice and its candidates: `constraints[c]` is what line c of `candidates` means.

    Rows are numbered inside the slice in catalog order; candidates on one column share a number.
    """

    base: tuple[Constraint, ...]
    rows: RowSet
    constraints: tuple[Constraint, ...]
    candidates: Candidates


def base_slices(
    catalog: Catalog,
    columns: Sequence[str] = BASE_COLUMNS,
    *,
    fewest: int = FEWEST_ROWS,
    most: int = MOST_ROWS,
) -> list[tuple[Constraint, ...]]:
    """Return the base constraints of every eligible slice, ordered by their values.

    A slice is a value for each column that occur together in `fewest` to `most` rows. NULL is
    no value. Raises `UnknownColumn`, and `QueryError` for no column.
    """
    if not columns:
        raise QueryError("no base columns", hint="name at least one")
    names = [catalog.schema.find(column).name for column in columns]
    listed = ", ".join(map(quoted, names))
    known = " AND ".join(f"{quoted(name)} IS NOT NULL" for name in names)
    rows = catalog.query(
        f"SELECT {listed} FROM {quoted(catalog.name)} WHERE {known} GROUP BY ALL "
        f"HAVING count(*) BETWEEN {int(fewest)} AND {int(most)} ORDER BY {listed}"
    )
    return [
        tuple(Constraint(column=name, op="==", value=row[name]) for name in names) for row in rows
    ]


def build_slice(
    catalog: Catalog,
    base: Sequence[Constraint],
    *,
    columns: Mapping[str, Operator] = ADDITIONAL_COLUMNS,
    strictness: Strictness = STRICTNESS,
    support: int = FEWEST_SUPPORT,
    missing: str | None = MISSING,
) -> Slice:
    """Return a slice and its candidates, in the order of the columns and then by value.

    Each column gives predicates of its operator: `==` its values in the slice, bounds the
    quantiles at these strictnesses (linear, rounded to whole numbers in a whole-number
    column), or all its values in the slice. Equal predicates come once; those that hold for
    fewer than `support` rows or for all are left out. Where an `==` column of text has NULLs in
    the slice, `missing` stands for them as in the published instances; None leaves them out.

    Raises `UnknownColumn`, and `QueryError` for a bound on a column without numbers or a
    strictness outside 0..1.
    """
    if strictness != EVERY_VALUE and not all(0 <= float(share) <= 1 for share in strictness):
        raise QueryError(f"strictness {strictness}", hint="give shares between 0 and 1")
    universe = _universe(catalog, base)
    items = catalog.fetch(universe.ids.tolist())
    built: list[Constraint] = []
    for column, op in columns.items():
        values = _values(catalog, universe, items, column, op, strictness)
        built += [Constraint(column=column, op=op, value=value) for value in values]
        if op == "==" and missing is not None and _stands_for_null(catalog, items, column, missing):
            built.append(Constraint(column=column, op=op, value=missing, nulls="match"))
    whole = _with(catalog, base, universe, built)
    support_counts = np.bitwise_count(whole.candidates.words).sum(axis=1)
    kept = np.flatnonzero((support_counts >= support) & (support_counts < len(universe)))
    chosen = Candidates(whole.candidates.words[kept], whole.candidates.columns[kept])
    return Slice(whole.base, universe, tuple(built[line] for line in kept.tolist()), chosen)


def slice_with(
    catalog: Catalog, base: Sequence[Constraint], constraints: Sequence[Constraint]
) -> Slice:
    """Return a slice with exactly these constraints as its candidates.

    SQL expressions count as about a column each of its own. Raises a `QueryError` for a
    constraint that does not fit the catalog.
    """
    return _with(catalog, base, _universe(catalog, base), constraints)


def _universe(catalog: Catalog, base: Sequence[Constraint]) -> RowSet:
    return catalog.slice([catalog.bind(constraint) for constraint in base])


def _with(
    catalog: Catalog,
    base: Sequence[Constraint],
    universe: RowSet,
    constraints: Sequence[Constraint],
) -> Slice:
    truth = np.zeros((len(constraints), len(universe)), dtype=np.bool_)
    about: dict[str, int] = {}
    columns: list[int] = []
    for line, constraint in enumerate(constraints):
        truth[line] = np.isin(universe.ids, catalog.rows(catalog.bind(constraint)).ids)
        column = constraint.column
        named = catalog.schema.find(column).name if column else f"sql {constraint.value}"
        columns.append(about.setdefault(named, len(about)))
    return Slice(tuple(base), universe, tuple(constraints), Candidates.of_truth(truth, columns))


def _stands_for_null(
    catalog: Catalog, items: Sequence[Mapping[str, Any]], column: str, missing: str
) -> bool:
    """Return whether the slice has NULLs and the column no such value of its own."""
    info = catalog.schema.find(column)
    if info.family != "text" or all(item[info.name] is not None for item in items):
        return False
    return missing not in catalog.values(info.name)


def _values(
    catalog: Catalog,
    universe: RowSet,
    items: Sequence[Mapping[str, Any]],
    column: str,
    op: Operator,
    strictness: Strictness,
) -> list[Scalar]:
    """Return the values to compare a column with, ascending, each once."""
    info = catalog.schema.find(column)
    counted = Counter(item[info.name] for item in items)
    counted.pop(None, None)
    if op == "==" or strictness == EVERY_VALUE:
        return cast("list[Scalar]", sorted(counted))
    numbers = catalog.numbers(info.name)[universe.ids]
    numbers = numbers[~np.isnan(numbers)]
    if not len(numbers):
        return []
    shares = [float(share) if op == ">=" else 1 - float(share) for share in strictness]
    bounds = cast("list[float]", np.quantile(numbers, sorted(shares)).tolist())
    return sorted({round(bound) if info.is_integer else bound for bound in bounds})
