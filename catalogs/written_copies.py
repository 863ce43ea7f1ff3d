"""The columns of rows that are written, as the catalog's copies in memory have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .column_copies import NumberCopy, ObjectCopy
from .column_store import ColumnStore
from .columns import Column
from .incoming import Incoming
from .numbering import Numbering
from .predicate import quoted
from .sending import GIVEN, doubles, given_to_duckdb, sent, sent_as

if TYPE_CHECKING:
    from .snapshot import Snapshot

POSITION = "concede_position"

WrittenCopy = NumberCopy | ObjectCopy


def written_copies(now: Snapshot, given: Incoming) -> dict[str, WrittenCopy]:
    """Return the columns given by position, NULL where a row does not give one.

    Raises `QueryError` for a value that DuckDB cannot hold.
    """
    found: dict[str, WrittenCopy] = {}
    others: list[Column] = []
    for name, cells in given.columns.items():
        column = now.schema.find(name)
        numbers = doubles(cells.values, column) if column.ordered else None
        if numbers is not None:
            found[name] = NumberCopy(numbers, exact=True)
        elif column.ordered:
            others.append(column)
        else:
            found[name] = ObjectCopy(_objects(cells.values))
    return found | (_by_duckdb(now, given, others) if others else {})


def _objects(values: list[object]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    made = np.empty(len(values), dtype=object)
    made[:] = values
    return made


def _by_duckdb(now: Snapshot, given: Incoming, columns: list[Column]) -> dict[str, WrittenCopy]:
    """Return columns whose values only DuckDB makes numbers of in the way it does."""
    listed = ", ".join(
        f"{sent_as(f'v{i}', column)} AS {quoted(column.name)}" for i, column in enumerate(columns)
    )
    values = {f"v{i}": sent(given.columns[c.name].values, c) for i, c in enumerate(columns)}
    sent_columns = {POSITION: np.arange(given.count)} | values
    with given_to_duckdb(now.table.connection, sent_columns) as cursor:
        clause = f"(SELECT {POSITION}, {listed} FROM {GIVEN})"
        store = ColumnStore(
            lambda: cursor, lambda: clause, POSITION, Numbering.of_count(given.count), 2**62
        )
        return {column.name: store.numbers(column) for column in columns}
