"""Which rows of an Arrow batch meet which predicates: NumPy and Arrow over whole columns.

Numbers, dates, texts and truths are compared by the functions that compare a catalog's columns in
memory; what these cannot tell DuckDB is asked, once a batch. Costs some nanoseconds a row and
predicate, DuckDB's part ten times as much.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa  # pyright: ignore[reportMissingTypeStubs]
import pyarrow.compute as pc  # pyright: ignore[reportMissingTypeStubs]

from ..query.predicate import Predicate, quoted
from ..query.schema import Column
from ..sources.loading import described
from ..vectors.array_types import Floats
from ..vectors.column_vectors import MAX_EXACT, SECONDS_A_DAY, NumberCopy
from ..vectors.packed_numbers import ends_of
from ..vectors.vectorized_predicates import NEGATED, Truth, truth_of_numbers
from .reading import connected, read_as

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MOST_DAYS = 2**31 - 1
"""DuckDB's infinite dates; a day less is the last date there is."""

compute = cast("Any", pc)
arrow = cast("Any", pa)


class BatchReader:
    """Reads the batches of one table; keeps a DuckDB connection once it needs one."""

    def __init__(self) -> None:
        self._connection: DuckDBPyConnection | None = None

    def rows(self, batch: Any) -> ArrowRows:
        """Return the rows of a `pyarrow.RecordBatch`."""
        return ArrowRows(batch, self)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()

    def ask(self, batch: Any, expressions: Sequence[str], values: Sequence[object]) -> list[Any]:
        """Return expressions over the rows of a batch, in their order."""
        if self._connection is None:
            self._connection = connected()
            # Spark gives a task one core.
            self._connection.execute("SET threads = 1")
        table = arrow.Table.from_batches([batch])
        self._connection.register("batch", table)
        types = described(self._connection, "SELECT * FROM batch")
        read = [f"{read_as(quoted(name), kind)} AS {quoted(name)}" for name, kind in types.items()]
        listed = ", ".join(f"{each} AS v{i}" for i, each in enumerate(expressions))
        result = self._connection.execute(
            f"SELECT {listed} FROM (SELECT {', '.join(read)} FROM batch)", values
        )
        found = cast("dict[str, Any]", result.fetchnumpy())
        self._connection.unregister("batch")
        return [found[f"v{i}"] for i in range(len(expressions))]


class ArrowRows:
    """The rows of one batch, their columns made into doubles at first use."""

    def __init__(self, batch: Any, reader: BatchReader) -> None:
        self.batch = batch
        self._reader = reader
        self._copies: dict[str, NumberCopy | None] = {}

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.batch.num_rows

    def truths(self, predicates: Sequence[Predicate]) -> list[Truth]:
        """Return for each predicate which rows meet it, bool[rows].

        Raises `duckdb.Error` for what cannot be evaluated.
        """
        found = [self._truth(predicate) for predicate in predicates]
        left = [number for number, truth in enumerate(found) if truth is None]
        if left:
            asked = [f"CASE WHEN {predicates[each].sql} THEN TRUE ELSE FALSE END" for each in left]
            values = [value for each in left for value in predicates[each].values]
            answers = self._reader.ask(self.batch, asked, values)
            for number, answer in zip(left, answers, strict=True):
                found[number] = np.asarray(answer, dtype=np.bool_)
        return cast("list[Truth]", found)

    def doubles(self, columns: Sequence[Column]) -> list[Floats]:
        """Return columns of numbers and dates as float64[rows], NaN for NULL, dates in seconds."""
        copies = [self._copy(column.name) for column in columns]
        left = [number for number, copy in enumerate(copies) if copy is None]
        found = [None if copy is None else copy.values for copy in copies]
        if left:
            names = [quoted(columns[number].name) for number in left]
            dates = [columns[number].family == "date" for number in left]
            asked = [
                f"CAST({f'epoch({name})' if date else name} AS DOUBLE)"
                for name, date in zip(names, dates, strict=True)
            ]
            for number, answer in zip(left, self._reader.ask(self.batch, asked, []), strict=True):
                found[number] = np.ma.filled(np.ma.asarray(answer).astype(np.float64), np.nan)
        return cast("list[Floats]", found)

    def _truth(self, predicate: Predicate) -> Truth | None:
        """Return which rows meet a predicate; None where columns in memory cannot tell."""
        test = predicate.test
        if test is None or len(predicate.columns) != 1:
            return None
        name, kind = predicate.columns[0], self.batch.schema.field(predicate.columns[0]).type
        if test.op in ("is null", "is not null"):
            return None if _is_number(kind) else self._null(name, test.op == "is null")
        if arrow.types.is_boolean(kind) or _is_text(kind):
            return self._listed(predicate, kind)
        copy = self._copy(name)
        if copy is None or test.op not in (
            "<",
            "<=",
            ">",
            ">=",
            "==",
            "!=",
            "in",
            "not in",
            "between",
        ):
            return None
        return truth_of_numbers(test, copy, nulls_match=predicate.nulls_match)

    def _null(self, name: str, wanted: bool) -> Truth:
        return _numpy(self.batch.column(name).is_null()) == wanted

    def _listed(self, predicate: Predicate, kind: Any) -> Truth | None:
        """Return which texts or truths are among those listed, for tests of equality."""
        test, cells = predicate.test, self.batch.column(predicate.columns[0])
        assert test is not None
        if test.op not in ("==", "in", *NEGATED):
            return None
        listed = arrow.array(list(test.values), kind)
        met = _numpy(compute.is_in(cells, value_set=listed))
        if test.op in NEGATED:
            met = ~met
        elif not predicate.nulls_match:
            return met
        if not cells.null_count:
            return met
        unknown = _numpy(cells.is_null())
        return met | unknown if predicate.nulls_match else met & ~unknown

    def _copy(self, name: str) -> NumberCopy | None:
        """Return a column of numbers or days; None for one that doubles do not hold."""
        if name not in self._copies:
            self._copies[name] = _number_copy(self.batch.column(name))
        return self._copies[name]


def _number_copy(cells: Any) -> NumberCopy | None:
    kind = cells.type
    is_date = arrow.types.is_date32(kind)
    if not (is_date or _is_number(kind)):
        return None
    if is_date:
        cells = cells.cast(arrow.int32())
    zeros = cells.fill_null(0) if cells.null_count else cells
    numbers = _numpy(zeros).astype(np.float64)
    ends = ends_of(numbers) or (0.0, 0.0)
    if is_date and max(-ends[0], ends[1]) >= MOST_DAYS:
        return None
    if not arrow.types.is_floating(kind) and (ends[0] <= -MAX_EXACT or ends[1] >= MAX_EXACT):
        return None
    if is_date:
        numbers *= SECONDS_A_DAY
    if cells.null_count:
        numbers[_numpy(cells.is_null())] = np.nan
    return NumberCopy.of(numbers, exact=True)


def _is_number(kind: Any) -> bool:
    return bool(arrow.types.is_integer(kind) or kind in (arrow.float32(), arrow.float64()))


def _is_text(kind: Any) -> bool:
    return bool(arrow.types.is_string(kind) or arrow.types.is_large_string(kind))


def _numpy(cells: Any) -> Any:
    return cells.to_numpy(zero_copy_only=False)
