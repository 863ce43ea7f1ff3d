"""Encode the rows of a write as the columns in memory hold them.

What NumPy encodes exactly is encoded here; DuckDB does the rest (wide decimals, timestamps), in one
statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..query.predicate import quoted
from ..query.schema import Column
from ..storage.duckdb_values import GIVEN, duckdb_array, duckdb_cast, encode_float64, registered
from ..vectors.column_store import ColumnStore
from ..vectors.column_vectors import NumberCopy, ObjectCopy
from ..vectors.row_numbering import Numbering
from .row_batch import RowBatch

if TYPE_CHECKING:
    from .snapshot import Snapshot

POSITION = "concede_position"

BatchVector = NumberCopy | ObjectCopy


def batch_vectors(now: Snapshot, given: RowBatch) -> dict[str, BatchVector]:
    """Return the columns given by position, NULL where a row does not give one.

    Raises `QueryError` for a value that DuckDB cannot hold.
    """
    vectors: dict[str, BatchVector] = {}
    others: list[Column] = []
    for name, cells in given.columns.items():
        column = now.schema.find(name)
        numbers = encode_float64(cells.values, column) if column.ordered else None
        if numbers is not None:
            vectors[name] = NumberCopy(numbers, exact=True)
        elif column.ordered:
            others.append(column)
        else:
            vectors[name] = ObjectCopy(_objects(cells.values))
    return vectors | (_by_duckdb(now, given, others) if others else {})


def _objects(values: list[object]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _by_duckdb(now: Snapshot, given: RowBatch, columns: list[Column]) -> dict[str, BatchVector]:
    """Return columns whose values only DuckDB makes numbers of in the way it does."""
    listed = ", ".join(
        f"{duckdb_cast(f'v{i}', column)} AS {quoted(column.name)}"
        for i, column in enumerate(columns)
    )
    values = {f"v{i}": duckdb_array(given.columns[c.name].values, c) for i, c in enumerate(columns)}
    arrays = {POSITION: np.arange(given.count)} | values
    with registered(now.table.connection, arrays) as cursor:
        clause = f"(SELECT {POSITION}, {listed} FROM {GIVEN})"
        store = ColumnStore(
            lambda: cursor, lambda: clause, POSITION, Numbering.of_count(given.count), 2**62
        )
        return {column.name: store.numbers(column) for column in columns}
