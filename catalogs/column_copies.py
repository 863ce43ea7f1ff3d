"""Columns read into memory once: for cold predicates, ranking, distances, and rows to show.

At 10⁶ rows a bound on a number costs 1 to 2 ms here, and a row costs microseconds; the same
questions cost DuckDB 5 to 20 ms and 2 to 4 ms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from .columns import Column
from .loading import TABLE
from .predicate import quoted
from .row_set import ByteBoundedCache

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Numbers = NDArray[np.float64]
MAX_EXACT = float(2**53)
"""Whole numbers below this are exact as doubles."""

MAX_DECIMAL_WIDTH = 15
"""Decimals of so many digits stay apart and in order as doubles."""

MAX_TEXTS = 65_535
"""A text column with more distinct values than this is kept as plain strings."""

EPOCH = date(1970, 1, 1)
SECONDS_A_DAY = 86_400


@dataclass(frozen=True, eq=False)
class NumberCopy:
    """A numeric or date column: `values` float64[rows], dates in seconds, NaN for NULL.

    `exact` says that comparing these doubles gives what DuckDB's comparison gives.
    """

    values: Numbers
    exact: bool

    @property
    def nbytes(self) -> int:
        """The memory held."""
        return self.values.nbytes

    @cached_property
    def ends(self) -> tuple[float, float] | None:
        """The least and the greatest finite value; None without one."""
        return ends_of(self.values)


@dataclass(frozen=True, eq=False)
class TextCopy:
    """A column of few distinct values: `codes` uint16[rows] into `values`; 65,535 for NULL."""

    codes: NDArray[np.uint16]
    values: list[Any]

    @property
    def nbytes(self) -> int:
        """The memory held, texts estimated."""
        return self.codes.nbytes + 100 * len(self.values)

    @cached_property
    def places(self) -> dict[Any, int]:
        """The code of every value."""
        return {value: code for code, value in enumerate(self.values)}


@dataclass(frozen=True, eq=False)
class ObjectCopy:
    """Any other column, as Python values: object[rows]."""

    values: NDArray[np.object_]

    @property
    def nbytes(self) -> int:
        """The memory held, values estimated."""
        return 100 * len(self.values)


Copy = NumberCopy | TextCopy | ObjectCopy


class ColumnCopies:
    """The copies of one table's columns, made on first use, up to a number of bytes."""

    def __init__(
        self, cursor: Callable[[], DuckDBPyConnection], row_id: str, rows: int, max_bytes: int
    ) -> None:
        self._cursor = cursor
        self._row_id = quoted(row_id)
        self._rows = rows
        self._copies: ByteBoundedCache[Copy] = ByteBoundedCache(max_bytes)

    def numbers(self, column: Column) -> NumberCopy:
        """Return the copy of a numeric or date column."""
        made = self._copies.get(column.name, lambda: self._read_numbers(column))
        return cast("NumberCopy", made)

    def texts(self, column: Column) -> TextCopy | ObjectCopy:
        """Return the copy of a text or boolean column."""
        made = self._copies.get(column.name, lambda: self._read_texts(column))
        return cast("TextCopy | ObjectCopy", made)

    def fits(self, columns: Sequence[Column]) -> bool:
        """Return whether copies of all these columns fit the memory allowed."""
        wide = sum(column.family == "text" for column in columns)
        return self._rows * (9 * len(columns) + 40 * wide) <= self._copies.max_bytes

    def _read_numbers(self, column: Column) -> NumberCopy:
        expression = quoted(column.name)
        if column.family == "date":
            expression = f"epoch({expression})"
        values = self._read(f"CAST({expression} AS DOUBLE)")
        numbers = np.ma.filled(values.astype(np.float64, copy=False), np.nan)
        numbers.flags.writeable = False
        return NumberCopy(numbers, _is_exact(column, numbers) and not self._holds_infinity(column))

    def _holds_infinity(self, column: Column) -> bool:
        """Return whether some date has no number of seconds."""
        if column.family != "date":
            return False
        found = self._cursor().execute(
            f"SELECT count(*) FROM {TABLE} WHERE isinf({quoted(column.name)})"
        )
        return bool(found.fetchall()[0][0])

    def _read_texts(self, column: Column) -> TextCopy | ObjectCopy:
        name = quoted(column.name)
        select = f"SELECT DISTINCT {name} AS v FROM {TABLE} WHERE {name} IS NOT NULL"
        found = self._cursor().execute(f"{select} ORDER BY v LIMIT {MAX_TEXTS + 1}").fetchall()
        if len(found) > MAX_TEXTS:
            return ObjectCopy(self._read_objects(name))
        rows = self._cursor().execute(
            f"SELECT t.{self._row_id} AS i, d.code AS code FROM {TABLE} AS t JOIN "
            f"(SELECT v, row_number() OVER (ORDER BY v) - 1 AS code FROM ({select})) AS d "
            f"ON t.{name} = d.v"
        )
        pairs = cast("dict[str, NDArray[np.int64]]", rows.fetchnumpy())
        codes = np.full(self._rows, MAX_TEXTS, dtype=np.uint16)
        codes[pairs["i"]] = pairs["code"]
        return TextCopy(codes, [row[0] for row in found])

    def _read_objects(self, name: str) -> NDArray[np.object_]:
        values = np.ma.asarray(self._read(name))
        held = np.array(values.data, dtype=object)
        held[np.ma.getmaskarray(values)] = None
        return held

    def _read(self, expression: str) -> Any:
        """Return an expression's values by row id, a NumPy array, masked where NULL."""
        found = self._cursor().execute(
            f"SELECT {self._row_id} AS i, {expression} AS v FROM {TABLE}"
        )
        read = cast("Any", found.fetchnumpy())
        if np.array_equal(read["i"], np.arange(self._rows)):
            return read["v"]
        # Sorting here costs far less than ORDER BY, and the table nearly always is in order.
        return read["v"][np.argsort(read["i"])]


def ends_of(values: Numbers) -> tuple[float, float] | None:
    """Return the least and the greatest finite value; None without one."""
    low = float(np.fmin.reduce(values, initial=np.inf))
    high = float(np.fmax.reduce(values, initial=-np.inf))
    if np.isinf(low) or np.isinf(high):
        known = values[np.isfinite(values)]
        return (float(known.min()), float(known.max())) if len(known) else None
    return low, high


def _is_exact(column: Column, numbers: Numbers) -> bool:
    decimal = re.match(r"DECIMAL\((\d+),", column.sql_type)
    if decimal:
        return int(decimal[1]) <= MAX_DECIMAL_WIDTH
    if column.sql_type in ("DOUBLE", "FLOAT", "DATE"):
        return True
    ends = ends_of(numbers) or (0.0, 0.0)
    return column.is_integer and ends[0] > -MAX_EXACT and ends[1] < MAX_EXACT


def is_showable(column: Column, copy: Copy) -> bool:
    """Return whether a copy holds the column's values as a row shows them."""
    if isinstance(copy, NumberCopy):
        return copy.exact
    return column.sql_type in ("VARCHAR", "BOOLEAN")


def shown_values(column: Column, copy: Copy, ids: NDArray[np.integer]) -> list[Any]:
    """Return a column's values in some rows as plain Python values, None for NULL."""
    if isinstance(copy, TextCopy):
        texts, known = copy.values, len(copy.values)
        return [texts[code] if code < known else None for code in copy.codes[ids].tolist()]
    if isinstance(copy, ObjectCopy):
        return copy.values[ids].tolist()
    numbers = copy.values[ids].tolist()
    convert = _SHOWN.get(column.sql_type, _decimal)
    return [None if number != number else convert(number) for number in numbers]


def _day(seconds: float) -> date:
    return EPOCH + timedelta(days=seconds // SECONDS_A_DAY)


def _decimal(number: float) -> float:
    return int(number) if number.is_integer() else number


_SHOWN: dict[str, Callable[[float], Any]] = {"DOUBLE": float, "FLOAT": float, "DATE": _day}
