"""One immutable version of a catalog: what readers are given.

A snapshot is metadata, a FROM clause over DuckDB's table, and the columns in memory; each later
version shares what a write did not touch. It costs what differs, and is freed with its last
reader.
"""

from __future__ import annotations

import gc
from collections.abc import Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import compress
from operator import not_
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ..cached_attribute import cached_attribute
from ..deadline import NEVER, Deadline
from ..errors import BadConstraint
from ..json_values import Row
from ..keyboard_interrupt import WATCHER, interruptible_class
from ..query.binding import bind
from ..query.constraint import Constraint
from ..query.cost_column import guess_cost_column
from ..query.predicate import Predicate, conjunction, quoted, where_text
from ..query.schema import ColumnOverride, ColumnProfile
from ..query.visible_schema import visible_schema
from ..sources.read_only_sql import rows_of_select
from ..storage.durable_table import State
from ..storage.versioned_table import VersionedTable
from ..vectors.byte_bounded_cache import VersionedCache
from ..vectors.column_store import Ends
from ..vectors.column_vectors import Copy, NumberCopy, TextCopy
from ..vectors.kernel_use import kernels_are_used
from ..vectors.row_set import RowSet, intersection
from .base_slice import BaseSlice
from .fetched_rows import RowReader, distinct_values, profile_of
from .joined_bounds import joined_bounds
from .narrow_rows import narrow_rows
from .piecewise_reading import PiecewiseReading
from .predicate_evaluation import PredicateEvaluator, as_query_error
from .snapshot_state import WARM_READS, ReadCounts, SharedCaches, SnapshotMetadata
from .snapshot_vectors import SnapshotVectors

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@interruptible_class
class Snapshot:
    """One version of a catalog; immutable, safe across threads.

    It stays as it is, and readable, for as long as anybody holds it. It is read as a catalog is
    (`CatalogReader`) and cannot be written to. `name`, `schema`, `version`, `columns` and the
    like are those of `Catalog`.
    """

    is_remote: ClassVar[bool] = False

    def __init__(
        self,
        table: VersionedTable,
        metadata: SnapshotMetadata,
        shared: SharedCaches[BaseSlice] | None = None,
        reads: ReadCounts | None = None,
    ) -> None:
        self.table, self.metadata = table, metadata
        self.shared = shared or SharedCaches[BaseSlice](metadata.cache_bytes)
        self.reads = reads or ReadCounts()
        self._distinct_texts: dict[str, list[str]] = {}
        self.profiled: dict[str, ColumnProfile] = {}
        self.name, self.schema, self.version = metadata.name, metadata.schema, metadata.version
        self.columns = metadata.schema.names
        self.from_clause, self.row_id = metadata.from_clause, metadata.row_id
        self.cost_column, self.numbering = metadata.cost_column, metadata.numbering
        self.dictionary, self.presentation = metadata.dictionary, metadata.presentation
        self._hidden: frozenset[str] = frozenset()
        self.row_count, self.universe = self.numbering.row_count, self.numbering.universe
        self.vectors = SnapshotVectors(table, metadata, self.shared.indexes, self.shared.change_log)
        self.evaluator = PredicateEvaluator(table, self.vectors, self.shared.row_sets, self.reads)
        self._reader = RowReader(table, self.vectors, self.reads)
        self._slices: VersionedCache[BaseSlice] = VersionedCache(metadata.cache_bytes)

    def take_over(
        self,
        copies: Mapping[str, Copy],
        ends: Mapping[str, Ends],
        profiles: Mapping[str, ColumnProfile],
    ) -> Snapshot:
        """Take what is known of columns from the version before; return this one."""
        for name, held in copies.items():
            self.vectors.store.take(name, held)
        for name, known in ends.items():
            self.vectors.store.take_ends(name, known)
        self.profiled.update(profiles)
        return self

    @property
    def shown(self) -> Snapshot:
        """This version as readers see it: itself, unless columns are hidden."""
        # Itself is not kept: a circle is freed by the collector of garbage, not at once.
        return self._visible if self.metadata.hidden else self

    @cached_attribute
    def _visible(self) -> Snapshot:
        """The same rows, caches and columns in memory, without the columns that are hidden."""
        shown, hidden = copy(self), self.metadata.hidden
        shown.schema = visible_schema(self.schema, hidden)
        shown.columns = shown.schema.names
        shown.dictionary = {
            name: words for name, words in self.dictionary.items() if name not in hidden
        }
        if self.cost_column in hidden:
            shown.cost_column = guess_cost_column(shown.schema.columns)
        shown._hidden = hidden
        shown._reader = RowReader(self.table, self.vectors, self.reads, hidden)
        return shown

    def _check_shown(self, column: str) -> None:
        """Raise `UnknownColumn` for a hidden column, which the columns in memory know."""
        if self._hidden:
            self.schema.find(column)

    @property
    def state(self) -> State:
        """The version, and the next row id to give."""
        return State(self.version, self.numbering.next_id)

    @property
    def rows_clause(self) -> str:
        """A FROM clause of the rows with their row ids, for statements run now."""
        return self.table.rows_at(self.version)

    def snapshot(self) -> Snapshot:
        """Return this version itself."""
        return self

    def close(self) -> None:
        """Do nothing: it is freed with its last reader."""

    def cursor(self) -> DuckDBPyConnection:
        """Return this thread's cursor; a DuckDB connection is not safe across threads."""
        return self.table.cursor()

    def bind(self, constraint: Constraint) -> Predicate:
        """See `Catalog.bind`."""
        predicate = bind(constraint, self.schema, self.texts)
        if constraint.op == "sql":
            self._check_boolean(constraint, predicate)
        return predicate

    def texts(self, column: str) -> list[str]:
        """Return the distinct texts of a column, none for a column that holds nothing.

        Read once a version; from memory where the column is there, coded.
        """
        if column not in self._distinct_texts:
            known = self.schema.find(column)
            coded = self._coded_texts(column) if known.family == "text" else []
            self._distinct_texts[column] = self.values(column) if coded is None else coded
        return self._distinct_texts[column]

    def _coded_texts(self, column: str) -> list[str] | None:
        """Return the texts of a column that is in memory as codes; None for any other."""
        known = self.schema.find(column)
        held = self.vectors.held(known.name)
        if not isinstance(held, TextCopy):
            return None
        rows = self.numbering.rows.ids if self.row_count < self.universe else slice(None)
        counts = np.bincount(held.codes[rows], minlength=held.null + 1)
        return [held.values[code] for code in np.flatnonzero(counts[: held.null]).tolist()]

    def _check_boolean(self, constraint: Constraint, plain: Predicate) -> None:
        if plain.nulls_match:
            plain = bind(constraint.model_copy(update={"nulls": "reject"}), self.schema)
        sql = f"SELECT {plain.sql} FROM {self.table.relation} LIMIT 0"
        with as_query_error():
            cursor = self.cursor().execute(sql, plain.values)
        kind = str((cursor.description or [("", "BOOLEAN")])[0][1])
        if kind.upper() not in ("BOOLEAN", "BOOL"):
            problem = f"gives {kind.lower()}, not yes or no"
            raise BadConstraint("value", constraint.value, problem, hint="compare it")

    def rows(self, predicate: Predicate, until: Deadline = NEVER) -> RowSet:
        """See `Catalog.rows`; raises `DeadlinePassed` where they are not found in time."""
        return self.evaluator.rows(predicate, until)

    def first_row(self, predicates: Sequence[Predicate], until: Deadline = NEVER) -> int | None:
        """Return the number of some row that satisfies all predicates; None if none does.

        By DuckDB, which ends with the first. Raises `DeadlinePassed` where it finds none in time.
        """
        return self.evaluator.first_row(predicates, until)

    def piecewise(
        self, predicates: Sequence[Predicate], *, in_duckdb: bool = False
    ) -> PiecewiseReading:
        """Return the reading of some predicates, a few rows at a time.

        `in_duckdb` leaves all of them to DuckDB, whatever is in memory.
        """
        return PiecewiseReading(
            self.table, self.vectors, self.evaluator, predicates, in_duckdb=in_duckdb
        )

    def slice(self, predicates: Iterable[Predicate]) -> RowSet:
        """See `Catalog.slice`."""
        return self.base_slice(predicates).rows

    def base_slice(self, predicates: Iterable[Predicate], until: Deadline = NEVER) -> BaseSlice:
        """See `Catalog.base_slice`; raises `DeadlinePassed` where it is not found in time."""
        listed = tuple(predicates)
        key = tuple(predicate.key for predicate in listed)
        return self._slices.at(
            key,
            self.version,
            lambda: self._slice(key, listed, until),
            lambda since, before: None,
            _is_passing,
        )

    def _slice(self, key: Hashable, predicates: Sequence[Predicate], until: Deadline) -> BaseSlice:
        anew = BaseSlice(self.vectors, self._common(predicates, until))
        if not (anew.is_compact and kernels_are_used(self.universe)):
            return anew

        def renewed(since: int, before: BaseSlice) -> BaseSlice | None:
            touched = self.vectors.touched(since, self.columns)
            if touched is None:
                return None
            anew.take_over(before, touched)
            return anew.attached_to(None)

        kept = self.shared.slices.at(
            key, self.version, lambda: anew.attached_to(None), renewed, _is_passing
        )
        return kept.attached_to(self.vectors)

    def _common(self, predicates: Sequence[Predicate], until: Deadline) -> RowSet:
        if not predicates:
            return self.numbering.rows
        if not kernels_are_used(self.universe):
            return intersection([self.rows(each, until) for each in predicates], self.universe)
        few = narrow_rows(self.vectors, predicates)
        if few is not None:
            return few
        is_known = [self.evaluator.known(each) is not None for each in predicates]
        joined, left = joined_bounds(self.vectors, compress(predicates, map(not_, is_known)))
        left += compress(predicates, is_known)
        sets = [self.evaluator.rows_between(name, *ends, until) for name, ends in joined.items()]
        sets += [self.rows(each, until) for each in left]
        return intersection(sets, self.universe)

    def count(self, predicates: Sequence[Predicate]) -> int:
        """See `Catalog.count`."""
        condition, values = conjunction(predicates, fewest_marks=True)
        sql = f"SELECT count(*) FROM {self.rows_clause} WHERE {condition}"
        with as_query_error():
            return cast("tuple[int]", self.cursor().execute(sql, list(values)).fetchone())[0]

    def numbers(self, column: str) -> NDArray[np.float64]:
        """See `Catalog.numbers`."""
        self._check_shown(column)
        return self.vectors.numbers(column)

    def number_copy(self, column: str) -> NumberCopy:
        """See `Catalog.number_copy`."""
        self._check_shown(column)
        return self.vectors.number_copy(column)

    def ends(self, column: str) -> tuple[float, float] | None:
        """Return the least and the greatest finite value of an ordered column; None without."""
        self._check_shown(column)
        return self.vectors.ends(column)

    def warm(self, columns: Sequence[str] | None = None) -> None:
        """See `Catalog.warm`."""
        self.vectors.warm(columns)
        self.reads.fetches = WARM_READS
        if kernels_are_used(self.universe):
            # Now, not in the middle of a question: what was loaded so far is some 60 ms to look
            # through, and Python does so again only once a quarter has come on top.
            gc.collect()

    def fetch(self, numbers: Sequence[int], until: Deadline = NEVER) -> list[Row]:
        """See `Catalog.fetch`; copies columns for it only where there is ample time."""
        return self._reader.fetch(numbers, until)

    def row_ids(self, numbers: Sequence[int] | NDArray[np.integer]) -> list[int]:
        """See `Catalog.row_ids`."""
        return self.numbering.row_ids(np.asarray(numbers, dtype=np.int64)).tolist()

    def rows_by_id(self, row_ids: Sequence[int]) -> list[Row | None]:
        """See `Catalog.rows_by_id`."""
        return self._reader.by_id(row_ids)

    def query(self, sql: str) -> list[Row]:
        """See `Catalog.query`."""
        cursor = self.table.connection.cursor()
        WATCHER.watch(cursor)
        try:
            if self.table.is_writable or self._hidden:
                # A view of this connection alone, and of this version alone.
                gone = ", ".join([self.table.row_id, *map(quoted, sorted(self._hidden))])
                cursor.execute(
                    f"CREATE TEMP VIEW {quoted(self.name)} AS SELECT * EXCLUDE ({gone}) "
                    f"FROM {self.rows_clause}"
                )
            return rows_of_select(cursor, sql)
        finally:
            cursor.close()

    def select_text(self, predicates: Sequence[Predicate]) -> str:
        """See `Catalog.select_text`."""
        return f"SELECT *\nFROM {self.from_clause}{where_text(predicates)}"

    def condition_text(self, predicate: Predicate) -> str:
        """Return a predicate as a condition in SQL."""
        return predicate.text

    def profile(self, column: str) -> ColumnProfile:
        """See `Catalog.profile`."""
        known = self.schema.find(column)
        if known.name not in self.profiled:
            override = self.metadata.overrides.get(known.name, ColumnOverride())
            profile = profile_of(self.cursor(), self.rows_clause, known, override)
            words = self.dictionary.get(known.name)
            if words is not None and words.unit:
                profile = replace(profile, unit=words.unit)
            self.profiled[known.name] = profile
        return self.profiled[known.name]

    def profiles(self) -> list[ColumnProfile]:
        """See `Catalog.profiles`."""
        return [self.profile(name) for name in self.columns]

    def values(self, column: str, limit: int | None = None) -> list[Any]:
        """See `Catalog.values`."""
        known = self.schema.find(column)
        return distinct_values(self.cursor(), self.rows_clause, known, limit)


def _is_passing(base: BaseSlice) -> bool:
    """Return whether a slice is kept only from the second time on that it is asked for."""
    return base.rows.is_quick
