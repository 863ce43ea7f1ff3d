"""Before the first question: kernels compiled, columns copied, words read."""

from __future__ import annotations

from collections.abc import Iterator

from .catalogs.catalog import Catalog
from .catalogs.constraint import Constraint
from .catalogs.errors import ConcedeError
from .catalogs.query import Query
from .engine.repair_engine import RepairEngine

MOST_BOUNDS = 3


def warm(catalog: Catalog) -> None:
    """Ask what makes every part of a repair run once: with and without a base, met and unmet.

    The first question of a process that finds no compiled kernels would take seconds.
    """
    engine = RepairEngine(catalog, threads=1)
    for query in _queries(catalog):
        try:
            engine.repair(query).written()
            engine.diagnose(query)
        except ConcedeError:
            # A column that cannot be asked so is no reason not to serve the others.
            continue


def _queries(catalog: Catalog) -> Iterator[Query]:
    bounds = [*_bounds(catalog)]
    if not bounds:
        return
    base = _equality(catalog)
    for fixed in ((), (base,)) if base else ((),):
        for constraints in (bounds, [_impossible(one) for one in bounds], bounds[:1]):
            yield Query(base=fixed, constraints=tuple(constraints))


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


def _equality(catalog: Catalog) -> Constraint | None:
    """Return what fixes the most frequent value of the first text column."""
    for column in catalog.schema.columns:
        if column.family == "text" and (found := catalog.values(column.name, 1)):
            return Constraint(column=column.name, op="==", value=found[0])
    return None
