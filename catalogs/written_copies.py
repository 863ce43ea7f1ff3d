"""The columns of rows that are written, as the catalog's copies in memory have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .column_copies import NumberCopy, ObjectCopy
from .column_store import ColumnStore
from .columns import Column
from .incoming import RowBatch
from .numbering import Numbering
from .predicate import quoted
from .sending import GIVEN, duckdb_array, duckdb_cast, encode_float64, registered

if TYPE_CHECKING:
    from .snapshot import Snapshot

POSITION = "concede_position"

BatchVector = NumberCopy | ObjectCopy


def batch_vectors(now: Snapshot, given: RowBatch) -> dict[str, BatchVector]:
    """Return the columns given by position, NULL where a row does not give one.

    Raises `QueryError` for a value that DuckDB cannot hold.
    """
    found: dict[str, BatchVector] = {}
    others: list[Column] = []
    for name, cells in given.columns.items():
        column = now.schema.find(name)
        numbers = encode_float64(cells.values, column) if column.ordered else None
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


def _by_duckdb(now: Snapshot, given: RowBatch, columns: list[Column]) -> dict[str, BatchVector]:
    """Return columns whose values only DuckDB makes numbers of in the way it does."""
    listed = ", ".join(
        f"{duckdb_cast(f'v{i}', column)} AS {quoted(column.name)}"
        for i, column in enumerate(columns)
    )
    values = {f"v{i}": duckdb_array(given.columns[c.name].values, c) for i, c in enumerate(columns)}
    sent_columns = {POSITION: np.arange(given.count)} | values
    with registered(now.table.connection, sent_columns) as cursor:
        clause = f"(SELECT {POSITION}, {listed} FROM {GIVEN})"
        store = ColumnStore(
            lambda: cursor, lambda: clause, POSITION, Numbering.of_count(given.count), 2**62
        )
        return {column.name: store.numbers(column) for column in columns}
