"""The copies of one version's columns: read from DuckDB once, or taken over and edited."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from .column_copies import (
    MAX_EXACT,
    MAX_TEXTS,
    Copy,
    NumberCopy,
    ObjectCopy,
    TextCopy,
    ends_of,
)
from .columns import Column
from .numbering import Numbering
from .predicate import quoted
from .row_set import ByteBoundedCache

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MAX_DECIMAL_WIDTH = 15
"""Decimals of so many digits stay apart and in order as doubles."""

Ends = tuple[float, float] | None


class ColumnStore:
    """The copies of one version's columns, made on first use, up to a number of bytes.

    `rows_clause` gives a FROM clause of the version's rows with `row_id`, an identifier in
    quotes.
    """

    def __init__(
        self,
        cursor: Callable[[], DuckDBPyConnection],
        rows_clause: Callable[[], str],
        row_id: str,
        numbering: Numbering,
        max_bytes: int,
    ) -> None:
        self._cursor = cursor
        self._rows_clause = rows_clause
        self._row_id = row_id
        self._numbering = numbering
        self._copies: ByteBoundedCache[Copy] = ByteBoundedCache(max_bytes)
        self._ends: dict[str, Ends] = {}

    def numbers(self, column: Column) -> NumberCopy:
        """Return the copy of a numeric or date column."""
        made = self._copies.get(column.name, lambda: self._read_numbers(column))
        return cast("NumberCopy", made)

    def texts(self, column: Column) -> TextCopy | ObjectCopy:
        """Return the copy of a text or boolean column."""
        made = self._copies.get(column.name, lambda: self._read_texts(column))
        return cast("TextCopy | ObjectCopy", made)

    def copy(self, column: Column) -> Copy:
        """Return the copy of a column of numbers, dates, texts or truths."""
        return self.numbers(column) if column.ordered else self.texts(column)

    def ends(self, column: Column) -> Ends:
        """Return the least and the greatest finite value of the rows; None without one."""
        if column.name not in self._ends:
            values = self.numbers(column).values
            holes = self._numbering.holes
            self._ends[column.name] = ends_of(values[self._numbering.rows.ids] if holes else values)
        return self._ends[column.name]

    def fits(self, columns: Sequence[Column]) -> bool:
        """Return whether copies of all these columns fit the memory allowed."""
        wide = sum(column.family == "text" for column in columns)
        rows = self._numbering.universe
        return rows * (9 * len(columns) + 40 * wide) <= self._copies.max_bytes

    def held(self) -> tuple[dict[str, Copy], dict[str, Ends]]:
        """Return the copies and ends that are known by now."""
        return dict(self._copies.items()), dict(self._ends)

    def take(self, name: str, copy: Copy) -> None:
        """Hold a copy made elsewhere."""
        self._copies.get(name, lambda: copy)

    def take_ends(self, name: str, ends: Ends) -> None:
        """Hold ends found elsewhere."""
        self._ends[name] = ends

    def objects(self, column: Column) -> ObjectCopy:
        """Return a column's values as Python has them, not held."""
        return ObjectCopy(self._read_objects(quoted(column.name)))

    def _read_numbers(self, column: Column) -> NumberCopy:
        expression = quoted(column.name)
        if column.family == "date":
            expression = f"epoch({expression})"
        values = self._read(f"CAST({expression} AS DOUBLE)", np.float64, np.nan)
        numbers = np.ma.filled(values.astype(np.float64, copy=False), np.nan)
        numbers.flags.writeable = False
        return NumberCopy(numbers, _is_exact(column, numbers) and not self._holds_infinity(column))

    def _holds_infinity(self, column: Column) -> bool:
        """Return whether some date has no number of seconds."""
        if column.family != "date":
            return False
        found = self._cursor().execute(
            f"SELECT count(*) FROM {self._rows_clause()} WHERE isinf({quoted(column.name)})"
        )
        return bool(found.fetchall()[0][0])

    def _read_texts(self, column: Column) -> TextCopy | ObjectCopy:
        name = quoted(column.name)
        select = f"SELECT DISTINCT {name} AS v FROM {self._rows_clause()} WHERE {name} IS NOT NULL"
        found = self._cursor().execute(f"{select} ORDER BY v LIMIT {MAX_TEXTS + 1}").fetchall()
        if len(found) > MAX_TEXTS:
            return ObjectCopy(self._read_objects(name))
        rows = self._cursor().execute(
            f"SELECT t.{self._row_id} AS i, d.code AS code FROM {self._rows_clause()} AS t JOIN "
            f"(SELECT v, row_number() OVER (ORDER BY v) - 1 AS code FROM ({select})) AS d "
            f"ON t.{name} = d.v"
        )
        pairs = cast("dict[str, NDArray[np.int64]]", rows.fetchnumpy())
        codes = np.full(self._numbering.universe, MAX_TEXTS, dtype=np.uint16)
        codes[self._numbering.numbers(pairs["i"])] = pairs["code"]
        return TextCopy(codes, [row[0] for row in found])

    def _read_objects(self, name: str) -> NDArray[np.object_]:
        values = np.ma.asarray(self._read(name, np.object_, None))
        held = np.array(values.data, dtype=object)
        held[np.ma.getmaskarray(values)] = None
        return held

    def _read(self, expression: str, dtype: type[np.generic], empty: Any) -> Any:
        """Return an expression's values by number, a NumPy array, masked where NULL.

        Where rows are missing or out of order, `dtype` and `empty` are for what is unknown.
        """
        found = self._cursor().execute(
            f"SELECT {self._row_id} AS i, {expression} AS v FROM {self._rows_clause()}"
        )
        read = cast("Any", found.fetchnumpy())
        universe = self._numbering.universe
        numbers = self._numbering.numbers(read["i"])
        if np.array_equal(numbers, np.arange(universe)):
            return read["v"]
        values = np.full(universe, empty, dtype=dtype)
        values[numbers] = np.ma.filled(read["v"].astype(dtype, copy=False), empty)
        return values


def _is_exact(column: Column, numbers: NDArray[np.float64]) -> bool:
    decimal = re.match(r"DECIMAL\((\d+),", column.sql_type)
    if decimal:
        return int(decimal[1]) <= MAX_DECIMAL_WIDTH
    if column.sql_type in ("DOUBLE", "FLOAT", "DATE"):
        return True
    ends = ends_of(numbers) or (0.0, 0.0)
    return column.is_integer and ends[0] > -MAX_EXACT and ends[1] < MAX_EXACT
