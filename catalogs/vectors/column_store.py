"""An LRU store of one version's columns, read from DuckDB on first use, up to a number of bytes.

What a version before has is handed over instead. Reading goes 65,536 rows at a time, so that other
threads get their turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ..deadline import NEVER, Deadline, DeadlinePassed
from ..interrupts import interrupted_at
from ..query.predicate import quoted
from ..query.schema import Column
from .byte_bounded_cache import ByteBoundedCache
from .column_vectors import MAX_EXACT, MAX_TEXTS, Copy, NumberCopy, ObjectCopy, TextCopy
from .kernel_use import KERNEL_ROWS
from .packed_numbers import PackedNumbers, ends_of
from .row_numbering import LongIds, Numbering

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MAX_DECIMAL_WIDTH = 15
"""Decimals of so many digits stay apart and in order as doubles."""

CODES = "temp.main.concede_codes"

PIECE = 1 << 16
"""Rows read together."""

Ends = tuple[float, float] | None


MOST_BEGUN = 4
"""Readings that a deadline cut off are kept, so many at most: 8 bytes a row and column each."""


class ColumnStore:
    """The copies of one version's columns, made on first use, up to a number of bytes.

    `rows_clause` gives a FROM clause of the version's rows with `row_id`, an identifier in
    quotes. `beside` and `dropped` are those of `ByteBoundedCache`, by a column's name.
    """

    def __init__(
        self,
        cursor: Callable[[], DuckDBPyConnection],
        rows_clause: Callable[[], str],
        row_id: str,
        numbering: Numbering,
        max_bytes: int,
        beside: Callable[[], int] = lambda: 0,
        dropped: Callable[[str], object] = lambda name: None,
    ) -> None:
        self._cursor = cursor
        self._rows_clause = rows_clause
        self._row_id = row_id
        self._numbering = numbering
        self._copies: ByteBoundedCache[Copy] = ByteBoundedCache(max_bytes, beside, dropped)
        self._ends: dict[str, Ends] = {}
        self._begun: dict[tuple[str, ...], tuple[list[NDArray[np.float64]], int]] = {}

    def numbers(self, column: Column, until: Deadline = NEVER) -> NumberCopy:
        """Return the copy of a numeric or date column.

        Raises `DeadlinePassed` where it is not read in time; the next call goes on from there.
        """
        copy = self._copies.get(
            column.name, lambda: self._read_numbers([column], until)[column.name]
        )
        return cast("NumberCopy", copy)

    def texts(self, column: Column, until: Deadline = NEVER) -> TextCopy | ObjectCopy:
        """Return the copy of a text or boolean column; raise `DeadlinePassed` in time."""
        copy = self._copies.get(column.name, lambda: self._read_texts(column, until))
        return cast("TextCopy | ObjectCopy", copy)

    def copy(self, column: Column, until: Deadline = NEVER) -> Copy:
        """Return the copy of a column of numbers, dates, texts or truths; see `numbers`."""
        return self.numbers(column, until) if column.ordered else self.texts(column, until)

    def held(self, name: str) -> Copy | None:
        """Return the copy of a column that is here; None for one that is not."""
        return self._copies.find(name)

    def holds(self, name: str) -> bool:
        """Return whether the copy of a column is here."""
        return self.held(name) is not None

    def has_ends(self, name: str) -> bool:
        """Return whether the ends of a column are known by now."""
        return name in self._ends

    def ends(self, column: Column, until: Deadline = NEVER) -> Ends:
        """Return the least and the greatest finite value of the rows; None without one.

        Raises `DeadlinePassed` where it is not known and time is short.
        """
        if column.name not in self._ends:
            copy = self.numbers(column, until)
            holes = self._numbering.deleted_rows
            self._ends[column.name] = (
                ends_of(copy.at(self._numbering.rows.ids), until)
                if holes
                else copy.packed.ends(until)
            )
        return self._ends[column.name]

    def recount(self) -> None:
        """Count anew what copies take, now that something was made of them."""
        self._copies.recount()

    @property
    def is_full(self) -> bool:
        """Whether another copy would have to push one out."""
        most = max((copy.nbytes for _, copy in self._copies.items()), default=0)
        return self._copies.nbytes + most > self._copies.max_bytes

    def fits(self, columns: Sequence[Column]) -> bool:
        """Return whether copies of all these columns fit the memory allowed."""
        wide = sum(column.family == "text" for column in columns)
        rows = self._numbering.universe
        return rows * (9 * len(columns) + 40 * wide) <= self._copies.max_bytes

    def in_memory(self) -> tuple[dict[str, Copy], dict[str, Ends]]:
        """Return the copies, and the ends, that are known by now."""
        return dict(self._copies.items()), dict(self._ends)

    def take(self, name: str, copy: Copy) -> None:
        """Hold a copy made elsewhere."""
        self._copies.get(name, lambda: copy)

    def take_ends(self, name: str, ends: Ends) -> None:
        """Hold ends found elsewhere."""
        self._ends[name] = ends

    def read_numbers(self, columns: Iterable[Column]) -> None:
        """Copy numeric and date columns that are not held yet, at one go."""
        missing = [column for column in columns if column.name not in self.in_memory()[0]]
        if missing:
            for name, copy in self._read_numbers(missing).items():
                self.take(name, copy)

    def _read_numbers(
        self, columns: Sequence[Column], until: Deadline = NEVER
    ) -> dict[str, NumberCopy]:
        """Return the copies of columns, read together.

        What a deadline cuts off is kept, and the next call goes on with it.
        """
        names = tuple(column.name for column in columns)
        # Whoever goes on with it takes it away, so that no other thread writes there too.
        arrays, done = self._begun.pop(names, (None, 0))
        if arrays is None:
            arrays = [np.full(self._numbering.universe, np.nan) for _ in columns]
        listed = [_double(column) for column in columns]
        try:
            for places, read in self._pieces(self._cursor(), listed, start=done, until=until):
                for values, part in zip(arrays, read, strict=True):
                    values[places] = np.ma.filled(part.astype(np.float64, copy=False), np.nan)
                done += PIECE
            return self._checked(columns, arrays, until)
        except DeadlinePassed:
            self._begun[names] = arrays, done
            # What nobody went on with for longest makes room.
            for other in list(self._begun)[:-MOST_BEGUN]:
                self._begun.pop(other, None)
            raise

    def _checked(
        self, columns: Sequence[Column], arrays: Sequence[NDArray[np.float64]], until: Deadline
    ) -> dict[str, NumberCopy]:
        copies: dict[str, NumberCopy] = {}
        for column, numbers in zip(columns, arrays, strict=True):
            exact = _is_exact(column, numbers) and not self._holds_infinity(column, until)
            copies[column.name] = NumberCopy(self._packed(numbers), exact)
        return copies

    def _packed(self, numbers: NDArray[np.float64]) -> PackedNumbers:
        # A small catalog is read whole, by NumPy: doubles are there at once.
        is_large = len(numbers) > KERNEL_ROWS
        return PackedNumbers.of(numbers) if is_large else PackedNumbers(numbers)

    def _pieces(
        self,
        cursor: DuckDBPyConnection,
        listed: Sequence[str],
        join: str = "",
        *,
        start: int = 0,
        until: Deadline = NEVER,
    ) -> Iterator[tuple[slice | LongIds, list[Any]]]:
        """Yield expressions over rows `t`, and the numbers of these rows, some rows at a time.

        What DuckDB has found is made into arrays while other threads wait. Begins with row
        `start`; raises `DeadlinePassed` between two pieces.
        """
        every = ", ".join(f"{expression} AS v{i}" for i, expression in enumerate(listed))
        universe = self._numbering.universe
        for begin in range(start, universe, PIECE):
            until.check()
            end = min(begin + PIECE, universe)
            first, last = self._numbering.row_ids(np.array([begin, end - 1])).tolist()
            result = cursor.execute(
                f"SELECT t.{self._row_id} AS i, {every} FROM {self._rows_clause()} AS t {join} "
                f"WHERE t.{self._row_id} BETWEEN {first} AND {last}"
            )
            read = cast("Any", result.fetchnumpy())
            numbers = self._numbering.numbers(read["i"])
            in_order = np.array_equal(numbers, np.arange(begin, end))
            places = slice(begin, end) if in_order else numbers
            yield places, [read[f"v{i}"] for i in range(len(listed))]

    def _holds_infinity(self, column: Column, until: Deadline) -> bool:
        """Return whether some date has no number of seconds."""
        if column.family != "date":
            return False
        cursor = self._cursor()
        with interrupted_at(cursor, until):
            counted = cursor.execute(
                f"SELECT count(*) FROM {self._rows_clause()} WHERE isinf({quoted(column.name)})"
            )
            return bool(counted.fetchall()[0][0])

    def _read_texts(self, column: Column, until: Deadline) -> TextCopy | ObjectCopy:
        name = quoted(column.name)
        cursor = self._cursor().cursor()
        try:
            with interrupted_at(cursor, until):
                cursor.execute(
                    f"CREATE TEMP TABLE {CODES} AS "
                    f"SELECT v, row_number() OVER (ORDER BY v) - 1 AS code FROM "
                    f"(SELECT DISTINCT {name} AS v FROM {self._rows_clause()} "
                    f"WHERE {name} IS NOT NULL LIMIT {MAX_TEXTS + 1})"
                )
                texts = cursor.execute(f"SELECT v FROM {CODES} ORDER BY code").fetchall()
            if len(texts) > MAX_TEXTS:
                return self._read_objects(cursor, name, until)
            codes = np.full(self._numbering.universe, MAX_TEXTS, dtype=np.uint16)
            join = f"JOIN {CODES} AS d ON t.{name} = d.v"
            for places, read in self._pieces(cursor, ["d.code"], join, until=until):
                codes[places] = read[0]
            return TextCopy.of(codes, [row[0] for row in texts])
        finally:
            cursor.close()

    def _read_objects(self, cursor: DuckDBPyConnection, name: str, until: Deadline) -> ObjectCopy:
        values = np.full(self._numbering.universe, None, dtype=object)
        for places, read in self._pieces(cursor, [f"t.{name}"], until=until):
            part = np.ma.asarray(read[0])
            objects = np.array(part.data, dtype=object)
            objects[np.ma.getmaskarray(part)] = None
            values[places] = objects
        return ObjectCopy(values)


def _double(column: Column) -> str:
    """Return the expression of a number or date of row `t` as a double."""
    name = f"t.{quoted(column.name)}"
    return f"CAST({f'epoch({name})' if column.family == 'date' else name} AS DOUBLE)"


def _is_exact(column: Column, numbers: NDArray[np.float64]) -> bool:
    decimal = re.match(r"DECIMAL\((\d+),", column.sql_type)
    if decimal:
        return int(decimal[1]) <= MAX_DECIMAL_WIDTH
    if column.sql_type in ("DOUBLE", "FLOAT", "DATE"):
        return True
    ends = ends_of(numbers) or (0.0, 0.0)
    return column.is_integer and ends[0] > -MAX_EXACT and ends[1] < MAX_EXACT
