"""Turn the rows of a write into columns, checked a column at a time.

A type test for each column takes the place of one for each value, which is what most writes need.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import UnknownColumn
from ..query.schema import Column, Schema
from .value_coercion import MAX_TEXT, Unfit, fits_whole, stored

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
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return max(map(len, texts)) <= MAX_TEXT
