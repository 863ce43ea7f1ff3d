"""Before the first question: kernels compiled, columns copied, words read."""

from __future__ import annotations

import time
from collections.abc import Iterator

from .catalogs.catalog import Catalog
from .catalogs.constraint import Constraint
from .catalogs.errors import ConcedeError
from .catalogs.query import Query
from .engine.repair_engine import RepairEngine

MOST_BOUNDS = 3
MOST_VALUES = 256
"""A text column of more values is not what searches begin with."""

WARMING_SECONDS = 5.0
"""What is asked in advance takes no longer, however many values there are."""


def warm(catalog: Catalog) -> None:
    """Have in memory what questions need, and ask what makes every part of a repair run once.

    The first question of a process that finds no compiled kernels would take seconds, and the
    first about a category several times as long as the next.
    """
    catalog.warm()
    engine, until = RepairEngine(catalog, threads=1), time.monotonic() + WARMING_SECONDS
    bounds = [*_bounds(catalog)]
    for query in _queries(bounds, [*_equalities(catalog)]):
        try:
            engine.repair(query).written()
        except ConcedeError:
            # A column that cannot be asked so is no reason not to serve the others.
            continue
        if time.monotonic() > until:
            break


def _queries(bounds: list[Constraint], equalities: list[Constraint]) -> Iterator[Query]:
    """Yield queries with and without a base, met and unmet; then one with each value as base."""
    if not bounds:
        return
    unmet = [_impossible(one) for one in bounds]
    for base in ((), *((one,) for one in equalities[:1])):
        for constraints in (bounds, unmet, bounds[:1]):
            yield Query(base=base, constraints=tuple(constraints))
    for one in equalities[1:]:
        yield Query(base=(one,), constraints=tuple(unmet))


def _bounds(catalog: Catalog) -> Iterator[Constraint]:
    """Yield bounds that about half of all rows meet, on the first few numeric columns."""
    numeric = [one.name for one in catalog.schema.columns if one.family == "numeric"]
    for name in numeric[:MOST_BOUNDS]:
        profile = catalog.profile(name)
        low, high = profile.minimum, profile.maximum
        if isinstance(low, int | float) and isinstance(high, int | float):
            yield Constraint(column=name, op="<=", value=(low + high) / 2)


def _impossible(one: Constraint) -> Constraint:
    return Constraint(column=one.column, op="<=", value=-1e30)


def _equalities(catalog: Catalog) -> Iterator[Constraint]:
    """Yield what fixes each value of the text columns that have few."""
    for column in catalog.schema.columns:
        if column.family == "text":
            values = catalog.values(column.name, MOST_VALUES + 1)
            for value in values if len(values) <= MOST_VALUES else ():
                yield Constraint(column=column.name, op="==", value=value)
