"""Warm-up of a catalog before it is served: copies of columns, compiled kernels, base slices.

Costs what reading the columns takes, and up to five seconds of questions.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from ...catalogs.catalog import Catalog
from ...catalogs.errors import ConcedeError
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...catalogs.vectors.kernel_use import KERNELS
from ...engine.repair_engine import RepairEngine

MOST_BOUNDS = 3
MOST_VALUES = 256
"""A text column of more values is not what searches begin with."""

WARMING_SECONDS = 5.0
"""What is asked in advance takes no longer, however many values there are."""


def warm(catalog: Catalog) -> None:
    """Have in memory what questions need, and ask what makes every part of a repair run once.

    Waits until every kernel is compiled and loaded, those that only questions after a write
    need as well. The first question about a category would take several times as long as the
    next.
    """
    KERNELS.load()
    catalog.warm()
    engine, until = RepairEngine(catalog, threads=1), time.monotonic() + WARMING_SECONDS
    ranges = [*_ranges(catalog)]
    for query in _queries(ranges, [*_equalities(catalog)]):
        try:
            engine.repair(query).record()
        except ConcedeError:
            # A column that cannot be asked so is no reason not to serve the others.
            continue
        if time.monotonic() > until:
            break


Range = tuple[str, float, float]
"""A column, its least value and its greatest."""


def _queries(ranges: list[Range], equalities: list[Constraint]) -> Iterator[Query]:
    """Yield queries with and without a base, met, hardly met and unmet, few and many
    constraints; then one with each value as base."""
    if not ranges:
        return
    loose = [_bound(ends, 0.5) for ends in ranges]
    tight = [_bound(ends, 0.01) for ends in ranges]
    unmet = [_bound(ends, -1.0) for ends in ranges]
    many = [_bound(ends, share) for share in (0.005, 0.01, 0.02) for ends in ranges]
    for base in ((), *((equality,) for equality in equalities[:1])):
        for constraints in (loose, tight, unmet, loose[:1], many):
            yield Query(base=base, constraints=tuple(constraints))
    for equality in equalities[1:]:
        yield Query(base=(equality,), constraints=tuple(unmet))


def _ranges(catalog: Catalog) -> Iterator[Range]:
    """Yield the first few numeric columns."""
    snapshot = catalog.snapshot()
    numeric = [column.name for column in catalog.schema.columns if column.family == "numeric"]
    for name in numeric[:MOST_BOUNDS]:
        ends = snapshot.ends(name)
        if ends is not None:
            yield name, *ends


def _bound(ends: Range, share: float) -> Constraint:
    """Return a bound that this share of the values meet, if they are spread evenly."""
    column, low, high = ends
    return Constraint(column=column, op="<=", value=low + (high - low or 1.0) * share)


def _equalities(catalog: Catalog) -> Iterator[Constraint]:
    """Yield what fixes each value of the text columns that have few."""
    for column in catalog.schema.columns:
        if column.family == "text":
            values = catalog.values(column.name, MOST_VALUES + 1)
            for value in values if len(values) <= MOST_VALUES else ():
                yield Constraint(column=column.name, op="==", value=value)
