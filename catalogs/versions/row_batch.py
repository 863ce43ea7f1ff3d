"""Check the rows of one write as a whole, and turn them into columns, before anything is written.

Whole columns first: a type test for each takes the place of one for each value, which is what
most writes need. Where anything is amiss, row by row, so that the error names row and column.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import BadConstraint, BadRow, QueryError, UnknownColumn, excerpt
from ..query.schema import Column, Schema
from .value_coercion import MAX_TEXT, Unfit, fits_whole, stored

MAX_ROWS = 100_000
"""The most rows of one call."""

MAX_CHARACTERS = 2**26
"""The most characters of all texts of one call."""


_ABSENT = object()


@dataclass(frozen=True, eq=False)
class Cells:
    """A column's values in some rows, as the column holds them; None for NULL.

    `given`, bool[n], says which rows have a value for it at all, and is None where all have.
    """

    values: list[Any]
    given: NDArray[np.bool_] | None = None

    def is_given(self) -> NDArray[np.bool_]:
        """Return which rows have a value, bool[n]."""
        return np.ones(len(self.values), dtype=np.bool_) if self.given is None else self.given

    def taken(self, positions: NDArray[np.integer]) -> Cells:
        """Return the cells of some rows."""
        values = [self.values[position] for position in positions.tolist()]
        return Cells(values, None if self.given is None else self.given[positions])


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
    if not key:
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
            f"{excerpt(cast('object', rows))} is no list of rows", hint="give a list of mappings"
        )
    listed = list(islice(rows, MAX_ROWS + 1))
    if len(listed) > MAX_ROWS:
        raise QueryError(
            f"more than {MAX_ROWS} rows in one call", hint="give them in several calls"
        )
    return listed


def columns_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, Cells]:
    """Return rows by column, in the order in which columns first occur."""
    names = list(rows[0]) if rows else []
    if all(row.keys() == rows[0].keys() for row in rows):
        return {name: Cells([row[name] for row in rows]) for name in names}
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: _some([row.get(name, _ABSENT) for row in rows]) for name in names}


def _some(values: list[Any]) -> Cells:
    given = np.array([value is not _ABSENT for value in values], dtype=np.bool_)
    if given.all():
        return Cells(values)
    return Cells([None if value is _ABSENT else value for value in values], given)


def plain_columns(rows: Sequence[Any], schema: Schema) -> dict[str, Cells] | None:
    """Return rows by column with values as the columns hold them.

    None where anything is amiss: whoever looks at row after row says what.
    """
    if set(map(type, rows)) - {dict}:
        return None
    by_name: dict[str, Cells] = {}
    characters = 0
    for name, cells in columns_of(rows).items():
        column = _column(name, schema)
        values = None if column is None else _fitted(cells.values, column)
        if column is None or values is None or column.name in by_name:
            return None
        by_name[column.name] = Cells(values, cells.given)
        if column.family == "text":
            characters += sum(len(value) for value in values if value is not None)
    return by_name if characters <= MAX_CHARACTERS else None


def _column(name: object, schema: Schema) -> Column | None:
    try:
        return schema.find(name) if isinstance(name, str) else None
    except UnknownColumn:
        return None


def _fitted(values: list[Any], column: Column) -> list[Any] | None:
    """Return values as the column holds them; None where one does not fit."""
    if _plainly_fit(values, column):
        return values
    try:
        return [stored(value, column) for value in values]
    except Unfit:
        return None


def _plainly_fit(values: list[Any], column: Column) -> bool:
    """Whether every value is one that the column holds as it is, for all that a glance tells."""
    kinds = set(map(type, values)) - {type(None)}
    if len(kinds) != 1:
        return not kinds
    known = [value for value in values if value is not None]
    if kinds == {str}:
        return column.sql_type == "VARCHAR" and _is_text(cast("list[str]", known))
    if kinds == {int}:
        return fits_whole(min(known), column) and fits_whole(max(known), column)
    if kinds == {float}:
        return column.sql_type == "DOUBLE" and all(map(math.isfinite, known))
    return kinds == {bool} and column.sql_type == "BOOLEAN"


def _is_text(texts: list[str]) -> bool:
    joined = "".join(texts)
    try:
        joined.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in joined and max(map(len, texts)) <= MAX_TEXT


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
