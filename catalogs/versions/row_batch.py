"""Check the rows of one write as a whole, before anything is written.

Whole columns first, at a glance; where anything is amiss, row by row, so that the error names the
row and the column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

from ..errors import BadConstraint, BadRow, QueryError, shown
from ..query.schema import Column, Schema
from .batch_columns import MAX_CHARACTERS, Cells, columns_of, plain_columns
from .value_coercion import Unfit, stored

MAX_ROWS = 100_000
"""The most rows of one call."""


@dataclass(frozen=True, eq=False)
class RowBatch:
    """So many rows by column, and the columns that tell rows apart."""

    count: int
    columns: dict[str, Cells]
    key: tuple[str, ...]


def row_batch(rows: Iterable[Mapping[str, Any]], schema: Schema, key: Sequence[str]) -> RowBatch:
    """Return rows with their values as the columns hold them, each key once.

    Of rows with the same key the later complete and replace the earlier, in its place. Raises
    `BadRow`, `UnknownColumn`, `BadConstraint` for a key that is no column, and `QueryError`
    for too much at once.
    """
    names = _key_names(schema, key)
    listed = _bounded(rows)
    columns = plain_columns(listed, schema)
    if columns is not None and _tell_apart(columns, names):
        return RowBatch(len(listed), columns, names)
    reader = _Reader(schema)
    read = [reader.row(position, row) for position, row in enumerate(listed)]
    merged = _merged(read, names) if names else read
    return RowBatch(len(merged), columns_of(merged), names)


def _tell_apart(columns: Mapping[str, Cells], key: tuple[str, ...]) -> bool:
    """Whether every row has a key, and another than the others."""
    if not key or not columns:
        return True
    values = [columns[name].values if name in columns else [None] for name in key]
    if any(None in column for column in values):
        return False
    return len(set(zip(*values, strict=True))) == len(values[0])


def _key_names(schema: Schema, key: Sequence[str]) -> tuple[str, ...]:
    for name in key:
        if not isinstance(cast("Any", name), str):
            raise BadConstraint("key", name, "not a column's name", hint="name a column")
    return tuple(dict.fromkeys(schema.find(name).name for name in key))


def _bounded(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    if isinstance(rows, Mapping | str | bytes) or not isinstance(cast("Any", rows), Iterable):
        raise QueryError(
            f"{shown(cast('object', rows))} is no list of rows", hint="give a list of mappings"
        )
    listed = list(islice(rows, MAX_ROWS + 1))
    if len(listed) > MAX_ROWS:
        raise QueryError(
            f"more than {MAX_ROWS} rows in one call", hint="give them in several calls"
        )
    return listed


class _Reader:
    """Reads rows one after another and counts what they hold."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._columns: dict[str, Column] = {}
        self._characters = 0

    def row(self, position: int, row: Mapping[str, Any]) -> dict[str, Any]:
        if not isinstance(cast("Any", row), Mapping):
            hint = "give mappings of column names to values"
            raise BadRow(position, None, row, "not a mapping", hint=hint)
        read: dict[str, Any] = {}
        for name, value in row.items():
            column = self._column(position, name)
            if column.name in read:
                raise BadRow(position, column.name, value, "given twice")
            read[column.name] = self._cell(position, column, value)
        return read

    def _column(self, position: int, name: str) -> Column:
        if not isinstance(cast("Any", name), str):
            raise BadRow(position, None, name, "not a column's name")
        if name not in self._columns:
            self._columns[name] = self._schema.find(name)
        return self._columns[name]

    def _cell(self, position: int, column: Column, value: Any) -> Any:
        try:
            cell = stored(value, column)
        except Unfit as unfit:
            raise BadRow(position, column.name, value, str(unfit)) from None
        if isinstance(cell, str):
            self._characters += len(cell)
            if self._characters > MAX_CHARACTERS:
                problem = f"more than {MAX_CHARACTERS} characters in one call"
                raise QueryError(problem, hint="give the rows in several calls")
        return cell


def _merged(rows: Sequence[dict[str, Any]], key: tuple[str, ...]) -> list[dict[str, Any]]:
    merged: dict[tuple[Any, ...], dict[str, Any]] = {}
    for position, row in enumerate(rows):
        for name in key:
            if row.get(name) is None:
                problem = "a row needs its key"
                raise BadRow(position, name, row.get(name), problem, hint=f"give {name}")
        same = tuple(row[name] for name in key)
        merged[same] = merged.get(same, {}) | row
    return list(merged.values())
