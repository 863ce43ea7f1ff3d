"""The items of a catalog by key, and which constraints each one meets.

A constraint is asked of all rows at once and kept: bool[items]. One row stands for a key, the
first in the catalog's order; rows without a key are no items.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...catalogs.catalog import Catalog
from ...catalogs.errors import QueryError, UnreadableFile, excerpt
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.predicate import quoted
from ...catalogs.query.schema import ColumnProfile

if TYPE_CHECKING:
    from ...catalogs.json_values import Row
    from .task import Task

Truths = NDArray[np.bool_]

KEPT = 4_096
"""Constraints whose answers are kept."""


class Items:
    """The items of a catalog; places 0 to n − 1 in the catalog's order."""

    def __init__(self, catalog: Catalog, key: str) -> None:
        self.key = catalog.schema.find(key).name
        self.catalog = _one_a_key(catalog, self.key)
        self._met: dict[str, Truths] = {}
        if not self.catalog.row_count:
            raise UnreadableFile(catalog.name, f"no row has a {self.key}")

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """The rows' numbers, ascending."""
        return np.array(self.catalog.slice(()).ids, dtype=np.int64)

    @cached_property
    def rows(self) -> Sequence[Row]:
        """The rows themselves."""
        return self.catalog.fetch(self.numbers.tolist())

    @cached_property
    def keys(self) -> Sequence[Any]:
        """The keys as the catalog has them."""
        return [row[self.key] for row in self.rows]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {str(key): place for place, key in enumerate(self.keys)}

    def __len__(self) -> int:
        return len(self.numbers)

    def name(self, place: int) -> str | int | float:
        """Return an item's key as JSON has it."""
        return json_key(self.keys[place])

    def place(self, key: object) -> int | None:
        """Return where an item stands; None for a key that is not there."""
        return self._places.get(str(key))

    def profile(self, column: str) -> ColumnProfile:
        """Return what a column holds."""
        return self.catalog.profile(column)

    def met(self, constraint: Constraint) -> Truths:
        """Return which items meet a constraint, bool[items]; raise `QueryError`."""
        name = repr((constraint.column, constraint.op, constraint.value, constraint.nulls))
        if name not in self._met:
            while len(self._met) >= KEPT:
                self._met.pop(next(iter(self._met)))
            self._met[name] = self.catalog.rows(self.catalog.bind(constraint)).within(self.numbers)
        return self._met[name]

    def meeting(self, constraints: Iterable[Constraint]) -> Truths:
        """Return which items meet all of these, bool[items]."""
        both = np.ones(len(self), dtype=np.bool_)
        for constraint in constraints:
            both &= self.met(constraint)
        return both


def fit_catalog(items: Items, tasks: Sequence[Task], path: str) -> None:
    """Raise `UnreadableFile` for a task that asks for what the catalog does not have."""
    for task in tasks:
        try:
            for constraint in (*task.explicit, *(need.constraint for need in task.implicit)):
                items.catalog.bind(constraint)
            for fact in task.facts:
                items.catalog.schema.find(fact.column)
        except QueryError as error:
            raise UnreadableFile(path, f"task {excerpt(task.id)}: {error}") from None


def json_key(key: object) -> str | int | float:
    """Return a key as JSON has it: a number or a text."""
    if isinstance(key, str | int | float) and not isinstance(key, bool):
        return key
    return str(key)


def _one_a_key(catalog: Catalog, key: str) -> Catalog:
    """Return the catalog, or where a key is missing or stands twice, one without these rows."""
    column, rows = quoted(key), catalog.snapshot().rows_clause
    row_id = catalog.row_id
    sql = f"SELECT count(DISTINCT {column}), count(*) FROM {rows}"
    ((distinct, count),) = catalog.cursor().execute(sql).fetchall()
    if distinct == count:
        return catalog
    if not distinct:
        raise QueryError(f"column {key} is empty", hint="name one that tells items apart")
    names = ", ".join(map(quoted, catalog.columns))
    firsts = catalog.cursor().sql(
        f"SELECT {names} FROM {rows} WHERE {row_id} IN (SELECT min({row_id}) FROM {rows} "
        f"WHERE {column} IS NOT NULL GROUP BY {column}) ORDER BY {row_id}"
    )
    places = catalog.schema.places
    return Catalog.open(firsts.to_arrow_table(), location=places.location, hours=places.hours)
