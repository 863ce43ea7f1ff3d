"""A catalog whose rows stay in their database: what is read of it is asked of the engine.

It is read as a `Snapshot` is, as far as no rows have to be in memory. Its statements are written by
Ibis over one SELECT that gives columns our meaning; `statements` counts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Never

import numpy as np

from ..cached_attribute import cached_attribute
from ..deadline import NEVER, Deadline
from ..errors import BadConstraint, CatalogError
from ..json_values import Row, plain
from ..query.binding import bind
from ..query.constraint import Constraint
from ..query.dictionary import Dictionary
from ..query.predicate import Predicate, where_of
from ..query.presentation import Presentation
from ..query.schema import ColumnOverride, ColumnProfile
from .column_profiles import distinct_values, read_profiles
from .double_columns import double_column
from .expressions import condition, expression
from .library_types import ArrowSchema, ArrowTable, Table, Truth, Value
from .remote_schema import RemoteTable
from .remote_slice import RemoteSlice
from .sessions import Sessions
from .type_oracle import TypeOracle

Ends = tuple[float, float] | None

MOST_CONDITIONS = 1_000
"""Conditions in SQL that are kept as they were written for the engine."""


@dataclass(frozen=True)
class RemoteFacts:
    """What was said of a remote catalog when it was opened."""

    name: str
    cost_column: str | None
    dictionary: Dictionary
    presentation: Presentation
    overrides: Mapping[str, ColumnOverride]
    in_executors: bool = False
    """Whether masks are counted inside Spark's executors."""


class RemoteSnapshot:
    """A remote catalog as a question reads it; safe across threads.

    `table` is the Ibis table with our meaning of its columns, `key` the column of unique whole
    numbers that stands for the order of rows and is the row id. `version` is None: the table may
    change between two statements, unless they stand in one `reading`.
    """

    version: int | None = None
    is_remote = True

    def __init__(
        self, remote: RemoteTable, backend: Any, sessions: Sessions, facts: RemoteFacts
    ) -> None:
        self.remote, self.sessions, self.facts = remote, sessions, facts
        self.table, self.key, self.schema = remote.table, remote.key, remote.schema
        self.engine, self.row_id = remote.engine, remote.key
        self.name, self.columns = facts.name, remote.schema.names
        self.cost_column, self.dictionary = facts.cost_column, facts.dictionary
        self.presentation, self.from_clause = facts.presentation, remote.clause
        self._backend = backend
        self._texts: dict[str, list[str]] = {}
        self._conditions: dict[tuple[object, ...], Truth] = {}
        self._profiles: dict[str, ColumnProfile] = {}
        self._selects: dict[tuple[str, ...], tuple[str, ArrowSchema]] = {}

    def __repr__(self) -> str:
        return f"RemoteSnapshot({self.name!r} at {self.sessions.place})"

    def snapshot(self) -> RemoteSnapshot:
        """Return this itself."""
        return self

    @property
    def shown(self) -> RemoteSnapshot:
        """Itself: hidden columns are not read at all."""
        return self

    @property
    def metadata(self) -> RemoteFacts:
        """What was said of it when it was opened."""
        return self.facts

    @property
    def statements(self) -> int:
        """How many statements were run so far."""
        return self.sessions.statements

    def reading(self) -> AbstractContextManager[None]:
        """Have all statements of this thread inside see one version of the table, if they can."""
        return self.sessions.reading()

    def bind(self, constraint: Constraint) -> Predicate:
        """Return the constraint as a predicate; raise a `QueryError` where it cannot be asked.

        An expression in SQL is refused by the name of what this engine does otherwise.
        """
        predicate = bind(constraint, self.schema, self.texts)
        if constraint.op == "sql":
            self.expression(predicate)
        elif predicate.test is None:
            hint = "open a copy of the rows: a file, or a frame"
            raise BadConstraint("op", constraint.op, "is not asked of remote catalogs", hint=hint)
        return predicate

    def expression(self, predicate: Predicate) -> Truth:
        """Return the predicate as an Ibis expression over `table`, never NULL."""
        if predicate.author_sql:
            return self._written(predicate)
        return expression(predicate, self.table, self.schema, self.engine)

    def condition(self, predicate: Predicate) -> Truth:
        """Return the same for a WHERE, where NULL is as good as false and an index is used."""
        if predicate.author_sql:
            return self._written(predicate)
        return condition(predicate, self.table, self.schema, self.engine)

    def _written(self, predicate: Predicate) -> Truth:
        from .sql_expressions import written_expression

        known = self._conditions.get(predicate.key)
        if known is None:
            known = written_expression(
                predicate, self.table, self.schema, self.engine, self._oracle
            )
            if len(self._conditions) >= MOST_CONDITIONS:
                self._conditions.clear()
            self._conditions[predicate.key] = known
        return known

    @cached_attribute
    def _oracle(self) -> TypeOracle:
        return TypeOracle(self.schema)

    def compiled(self, expr: Value) -> str:
        """Return an Ibis expression as SQL of this engine."""
        return self._backend.compile(expr)

    def execute(self, expr: Table, until: Deadline = NEVER) -> ArrowTable:
        """Return what an Ibis expression gives, in one statement.

        Raises `DeadlinePassed`, once the engine was told to stop; `CatalogError` where it cannot be
        reached; `QueryError` for what it cannot evaluate.
        """
        return self.run(self.compiled(expr), expr.schema().to_pyarrow(), until)

    def run(self, sql: str, schema: ArrowSchema, until: Deadline = NEVER) -> ArrowTable:
        """Return what SQL of ours gives, in columns of these names and types; as `execute`."""
        return self.sessions.run(sql, schema, until)

    @cached_attribute
    def arrow_schema(self) -> ArrowSchema:
        """The columns of `table` as Arrow calls their types."""
        return self.table.schema().to_pyarrow()

    def where(self, predicates: Iterable[Predicate]) -> Table:
        """Return the rows that satisfy all predicates, as an Ibis table."""
        conditions = [self.condition(predicate) for predicate in predicates]
        return self.table.filter(*conditions) if conditions else self.table

    def base_slice(self, predicates: Iterable[Predicate], until: Deadline = NEVER) -> RemoteSlice:
        """Return the rows that satisfy all predicates, of which none is read yet."""
        return RemoteSlice(self, tuple(predicates))

    def count(self, predicates: Sequence[Predicate], until: Deadline = NEVER) -> int:
        """Return how many rows satisfy all predicates."""
        found = self.execute(self.where(predicates).aggregate(rows=_count), until)
        return int(found.column("rows")[0].as_py())

    def counts(self, listed: Sequence[Sequence[Predicate]], until: Deadline = NEVER) -> list[int]:
        """Return how many rows satisfy all predicates of a list, for several in one statement."""
        if not listed:
            return []
        counted: dict[str, Any] = {}
        for place, predicates in enumerate(listed):
            where = _all([self.expression(predicate) for predicate in predicates])
            counted[f"n{place}"] = self.table.count() if where is None else where.sum()
        found = self.execute(self.table.aggregate(**counted), until)
        return [int(found.column(name)[0].as_py() or 0) for name in counted]

    @cached_attribute
    def row_count(self) -> int:
        """How many rows there are, counted once."""
        return self.count(())

    @property
    def universe(self) -> int:
        """As many numbers as rows: none is kept for rows that are gone."""
        return self.row_count

    def end_expressions(
        self, table: Table, columns: Sequence[str], *, finite: bool = True
    ) -> dict[str, Any]:
        """Return the least and the greatest value of ordered columns, as aggregates.

        By names that `read_ends` knows, so that they can stand in a statement with others. `finite`
        leaves infinities out, which makes a histogram a fifth dearer: ask so where one is an end.
        """
        ends: dict[str, Any] = {}
        for place, name in enumerate(columns):
            column, values = self.schema.find(name), table[name]
            if finite and column.sql_type in ("FLOAT", "DOUBLE"):
                values = values.nullif(float("inf")).nullif(float("-inf"))
            ends[f"low_{place}"], ends[f"high_{place}"] = values.min(), values.max()
        return ends

    def read_ends(self, found: ArrowTable, columns: Sequence[str]) -> dict[str, Ends]:
        """Return ends over all rows of a result, as the doubles that a file's ends are.

        Dates in seconds; None for a column without a value.
        """
        ends: dict[str, Ends] = {}
        for place, name in enumerate(columns):
            sql_type = self.schema.find(name).sql_type
            low, high = (
                double_column(found.column(f"{side}_{place}"), sql_type) for side in ("low", "high")
            )
            known = ~(np.isnan(low) | np.isnan(high))
            ends[name] = (
                (float(low[known].min()), float(high[known].max())) if known.any() else None
            )
        return ends

    def ends(
        self,
        columns: Sequence[str],
        predicates: Sequence[Predicate] = (),
        until: Deadline = NEVER,
    ) -> dict[str, Ends]:
        """Return the least and the greatest finite value of ordered columns among some rows.

        In one statement; as doubles, dates in seconds, None for a column without a value.
        """
        names = [self.schema.find(name).name for name in columns]
        if not names:
            return {}
        table = self.where(predicates)
        found = self.execute(table.aggregate(**self.end_expressions(table, names)), until)
        return self.read_ends(found, names)

    def fetch(
        self, keys: Sequence[int], columns: Sequence[str] | None = None, until: Deadline = NEVER
    ) -> list[Row]:
        """Return rows by their keys and in their order, in one statement; those there are."""
        found = self.rows_by_id(keys, columns, until)
        return [row for row in found if row is not None]

    def rows_by_id(
        self,
        row_ids: Sequence[int],
        columns: Sequence[str] | None = None,
        until: Deadline = NEVER,
    ) -> list[Row | None]:
        """Return rows by their keys and in their order, None for one that is not there."""
        if not len(row_ids):
            return []
        names = list(self.columns if columns is None else columns)
        wanted = [int(row_id) for row_id in row_ids]
        held = sorted({each for each in wanted if -(2**63) <= each < 2**63})
        select, types = self._select(tuple(dict.fromkeys([self.key, *names])))
        listed = ", ".join(map(str, held))
        among = f"{self.engine.quoted(self.key)} IN ({listed})" if held else "1 = 0"
        found = self.sessions.run(f"SELECT * FROM ({select}) AS item WHERE {among}", types, until)
        if found.num_rows > len(held):
            problem = "several rows have the same"
            raise BadConstraint("key", self.key, problem, hint="name what tells rows apart")
        by_key = {row[self.key]: row for row in rows_of(found)}
        return [
            {name: by_key[each][name] for name in names} if each in by_key else None
            for each in wanted
        ]

    def _select(self, columns: tuple[str, ...]) -> tuple[str, ArrowSchema]:
        """Return the SELECT of some columns, and their types; written once by Ibis."""
        known = self._selects.get(columns)
        if known is None:
            expr = self.table.select(list(columns))
            known = self._selects[columns] = self.compiled(expr), expr.schema().to_pyarrow()
        return known

    def condition_text(self, predicate: Predicate) -> str:
        """Return a predicate as a condition in this engine's SQL, columns by their bare names."""
        if predicate.author_sql:
            from .sql_expressions import written_text

            return written_text(predicate, self.schema, self.engine, self._oracle)
        from sqlglot import exp

        statement = self._backend.compiler.to_sqlglot(self.table.filter(self.condition(predicate)))
        where = statement.find(exp.Where)
        assert where is not None
        for column in where.find_all(exp.Column):
            column.set("table", None)
        return where.this.sql(dialect=self._backend.dialect)

    def select_text(self, predicates: Sequence[Predicate]) -> str:
        """Return a SELECT of the rows that satisfy all predicates, as this engine runs it."""
        conditions = [self.condition_text(predicate) for predicate in predicates]
        return f"SELECT *\nFROM {self.from_clause}{where_of(conditions)}"

    def profile(self, column: str) -> ColumnProfile:
        """Return what the column holds; all columns are looked at together, once."""
        name = self.schema.find(column).name
        if name not in self._profiles:
            self.profiles()
        return self._profiles[name]

    def profiles(self) -> list[ColumnProfile]:
        """Return the profile of every column, in order: two statements, the first time."""
        if not self._profiles:
            read = read_profiles(
                self.table, self.schema.columns, self.facts.overrides, self.execute
            )
            for profile in read:
                words = self.dictionary.get(profile.name)
                unit = words.unit if words is not None and words.unit else profile.unit
                self._profiles[profile.name] = replace(profile, unit=unit)
        return [self._profiles[name] for name in self.columns]

    def values(self, column: str, limit: int | None = None) -> list[Any]:
        """Return a column's distinct values, most frequent first, then in order."""
        return distinct_values(self.table, self.schema.find(column), limit, self.execute)

    def texts(self, column: str) -> list[str]:
        """Return the distinct texts of a column; read once."""
        if column not in self._texts:
            self._texts[column] = self.values(column)
        return self._texts[column]

    def close(self) -> None:
        """Give connections back; the next statement makes one again."""
        self.sessions.close()

    def query(self, sql: str) -> Never:
        """Raise `CatalogError`: SQL of a caller is run by the engine itself, not through this."""
        raise CatalogError(
            f"{self.name!r} stays at {self.sessions.place}", hint="ask the engine itself"
        )

    def __getattr__(self, name: str) -> Never:
        if name in _IN_MEMORY:
            raise CatalogError(
                f"{self.name!r} stays at {self.sessions.place}: its rows are not in memory",
                hint="open a copy of them, a file or a frame",
            )
        raise AttributeError(f"RemoteSnapshot has no attribute {name!r}")


_IN_MEMORY = frozenset(
    "cursor rows slice numbers number_copy warm row_ids vectors evaluator piecewise "
    "first_row numbering rows_clause".split()
)
"""What a `Snapshot` reads from rows that it holds."""


def _all(conditions: Sequence[Any]) -> Any:
    return reduce(lambda one, other: one & other, conditions) if conditions else None


def _count(table: Table) -> Any:
    return table.count()


def rows_of(found: ArrowTable) -> list[Row]:
    """Return a result as rows, their values as JSON can hold them."""
    names = found.column_names
    columns = [[plain(value) for value in found.column(name).to_pylist()] for name in names]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
