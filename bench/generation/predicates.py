"""Candidate predicates over a base slice: values with support, quantiles, near-extremes.

AWARE-US, section 2.3 and Algorithm 1, BuildCandidatePredicates, on a column of any kind. What
`slices` builds is what the published S1 and S3 show; here bounds may also be dates and
fractions, and near-extremes come with the quantiles.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...catalogs.catalog import Catalog
from ...catalogs.query.constraint import Constraint, Scalar, character_problem
from ...catalogs.vectors.row_set import RowSet
from ...solvers.enumeration.candidates import Candidates
from .columns import AskedColumn
from .settings import Setting
from .slices import EVERY_VALUE, FEWEST_SUPPORT, STRICTNESS, Operator, Slice, Strictness, slice_with

WIDE_STRICTNESS = tuple(step / 20 for step in range(1, 20))
"""Every twentieth. The bounds of the published S2 leave out anything from 10 to 88 % of the
slice: conflicts of four need some that are nearly vacuous."""

MOST_CANDIDATES = 96
"""A slice's candidates, shared evenly among its columns (Algorithm 1, CapPerAttributeAndTotal):
the number of quads grows with its fourth power."""


def strictness_of(setting: Setting) -> Strictness:
    """Return how much of a slice bounds leave out: as published for the setting."""
    return WIDE_STRICTNESS if setting.sought in ("MUS-3", "MUS-4") else STRICTNESS


def candidate_slice(
    catalog: Catalog,
    base: Sequence[Constraint],
    columns: Sequence[AskedColumn],
    *,
    strictness: Strictness,
    support: int = FEWEST_SUPPORT,
) -> Slice:
    """Return a base slice and its candidates, by column.

    `==` gives the column's values in the slice, most frequent first. A bound gives the quantiles
    of the slice at these shares (see `slices.STRICTNESS`), rounded in a column of whole numbers
    and else the nearest value there is, and the near-extreme: the value that `support` rows
    reach. "every value" gives all values of the slice instead. Left out are predicates that hold
    for all rows or for fewer than `support`, and those that hold for the same rows as another of
    their column.
    """
    rows = catalog.slice([catalog.bind(constraint) for constraint in base])
    items = catalog.fetch(rows.ids.tolist())
    built = [
        Constraint(column=column.name, op=op, value=value)
        for column in columns
        for op in column.operators
        for value in _values(catalog, rows, items, column.name, op, strictness, support)
    ]
    return _chosen(slice_with(catalog, base, built), support, len(columns))


def _chosen(whole: Slice, support: int, columns: int) -> Slice:
    words, about = whole.candidates.words, whole.candidates.columns
    support_counts = np.bitwise_count(words).sum(axis=1)
    by_column: dict[int, list[int]] = {}
    masks_seen: set[tuple[int, bytes]] = set()
    for line in np.flatnonzero(
        (support_counts >= support) & (support_counts < len(whole.rows))
    ).tolist():
        key = (int(about[line]), words[line].tobytes())
        if key not in masks_seen:
            masks_seen.add(key)
            by_column.setdefault(key[0], []).append(line)
    room = max(2, MOST_CANDIDATES // max(1, columns))
    kept = [line for lines in by_column.values() for line in _thinned(whole, lines, room)]
    constraints = tuple(whole.constraints[line] for line in kept)
    lines = np.array(kept, dtype=np.intp)
    return Slice(whole.base, whole.rows, constraints, Candidates(words[lines], about[lines]))


def _thinned(whole: Slice, lines: Sequence[int], room: int) -> list[int]:
    """Return so many of a column's candidates: its frequent values, or bounds far apart."""
    if len(lines) <= room or whole.constraints[lines[0]].op == "==":
        return list(lines[:room])
    places = np.linspace(0, len(lines) - 1, room).round().astype(int).tolist()
    return [lines[place] for place in places]


def _values(
    catalog: Catalog,
    rows: RowSet,
    items: Sequence[Mapping[str, Any]],
    column: str,
    op: Operator,
    strictness: Strictness,
    support: int,
) -> list[Scalar]:
    """Return the values to compare a column with, each once."""
    cells = [item[column] for item in items]
    if op == "==":
        return _frequent(cells, support)
    numbers = catalog.numbers(column)[rows.ids]
    known = np.flatnonzero(np.isfinite(numbers))
    if not len(known):
        return []
    ascending = known[np.argsort(numbers[known], kind="stable")]
    places = _places(len(ascending), op, strictness, support)
    bounds = [cells[ascending[place]] for place in places]
    if catalog.schema.find(column).is_integer and strictness != EVERY_VALUE:
        shares = [float(share) if op == ">=" else 1 - float(share) for share in strictness]
        quantiles = np.quantile(numbers[known], shares)
        bounds = [*(round(bound) for bound in quantiles.tolist()), bounds[-1]]
    return sorted(set(bounds))


def _frequent(cells: Sequence[Any], support: int) -> list[Scalar]:
    counted = Counter(cell for cell in cells if cell is not None and _is_comparable(cell))
    frequent = [(count, value) for value, count in counted.items() if count >= support]
    return [value for _, value in sorted(frequent, key=lambda pair: (-pair[0], pair[1]))]


def _is_comparable(value: Any) -> bool:
    if isinstance(value, str):
        return character_problem(value) is None
    return not isinstance(value, float) or math.isfinite(value)


def _places(count: int, op: Operator, strictness: Strictness, support: int) -> list[int]:
    """Return places among ascending values: those of the shares, the near-extreme last."""
    if strictness == EVERY_VALUE:
        return list(range(count))
    near = min(support, count)
    shares = [float(share) if op == ">=" else 1 - float(share) for share in strictness]
    extreme = count - near if op == ">=" else near - 1
    return [*(round(share * (count - 1)) for share in shares), extreme]
