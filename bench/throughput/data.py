"""Synthetic tables of uniform columns, and questions over them whose selectivity is their bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from ...catalogs.catalog import Catalog
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...catalogs.vectors.row_set import RowSet
from ...solvers.problem import Problem, bind_problem
from ..quiet_connection import quiet_connection
from .report import Selectivity

BASE_COLUMN = "b"
BASE_SHARE = 0.01
DRAWN = "each column uniform in [0, 1), independent of the others"

SKEWED = "skewed"
SKEW_FROM, SKEW_TO = 0.9, 0.001

Density = float | str


def column_of(position: int) -> str:
    """Return the name of the column that a constraint is on."""
    return f"c{position}"


def shares_of(density: Density, width: int) -> tuple[float, ...]:
    """Return the share of rows that each of so many predicates keeps.

    A number is the share of every one; `skewed` runs in even steps of the logarithm from 0.9
    (most rows) to 0.001 (few).
    """
    if density != SKEWED:
        return (float(density),) * width
    steps = max(width - 1, 1)
    return tuple(SKEW_FROM * (SKEW_TO / SKEW_FROM) ** (j / steps) for j in range(width))


def uniform(name: str, stream: int, seed: int) -> str:
    """Return SQL for a column of doubles in [0, 1), 53 random bits from a hash of the row."""
    return f"(hash(i, {stream}, {seed}) >> 11)::DOUBLE / 9007199254740992.0 AS {name}"


class Table:
    """A catalog of so many rows and columns `c0`, `c1`, …, and `b` to slice by."""

    def __init__(self, rows: int, columns: int, seed: int) -> None:
        self.rows, self.columns, self.seed = rows, columns, seed
        streams = [*((column_of(j), j) for j in range(columns)), (BASE_COLUMN, 1_000)]
        listed = ", ".join(uniform(name, stream, seed) for name, stream in streams)
        with quiet_connection() as source:
            drawn = source.sql(f"SELECT {listed} FROM range({rows}) r(i)")
            self.catalog = Catalog.open(drawn)


@dataclass(frozen=True)
class Question:
    """Which of `c_j <= shares[j]` can be met together, for all j, where `b <= base`.

    As the columns are uniform, the bound is the share of rows it keeps.
    """

    table: Table
    shares: tuple[float, ...]
    base: float | None = None

    @property
    def width(self) -> int:
        """The number of constraints."""
        return len(self.shares)

    @property
    def catalog(self) -> Catalog:
        """The catalog asked."""
        return self.table.catalog

    @cached_property
    def query(self) -> Query:
        """The query with these bounds."""
        return self._query(self.shares)

    @cached_property
    def problem(self) -> Problem:
        """The query, bound."""
        return bind_problem(self.catalog, self.query.base, self.query.constraints)

    def _query(self, bounds: Sequence[float]) -> Query:
        constraints = [
            Constraint(column=column_of(j), op="<=", value=bound) for j, bound in enumerate(bounds)
        ]
        base: list[Constraint] = []
        if self.base is not None:
            base = [Constraint(column=BASE_COLUMN, op="<=", value=self.base)]
        return Query(base=tuple(base), constraints=tuple(constraints))

    def unseen(self) -> Query:
        """Return a query with the same rows whose bounds nobody has asked for yet.

        Bounds are a few times 10⁻¹⁵ apart, which no two values of any table here are likely
        to lie between.
        """
        step = 1e-15 * next(_unseen)
        return self._query([share + step for share in self.shares])

    @cached_property
    def row_sets(self) -> tuple[RowSet, ...]:
        """The rows that meet each constraint, base slice or not."""
        return tuple(self.catalog.rows(predicate) for predicate in self.problem.predicates)

    @cached_property
    def base_rows(self) -> RowSet | None:
        """The rows of the base slice; None for all rows."""
        return None if self.base is None else self.problem.base_slice

    @property
    def conditions(self) -> list[str]:
        """The constraints as SQL, as plain as they can be written."""
        return [f"{column_of(j)} <= {share!r}::DOUBLE" for j, share in enumerate(self.shares)]

    @property
    def where(self) -> str:
        """The base slice as a SQL WHERE clause; empty without one."""
        return "" if self.base is None else f" WHERE {BASE_COLUMN} <= {self.base!r}::DOUBLE"

    @property
    def words_bytes(self) -> int:
        """The bytes of the row sets as bits, one a row and constraint, base included."""
        return (self.width + (self.base is not None)) * -(-self.table.rows // 8)

    @property
    def columns_bytes(self) -> int:
        """The bytes of the columns asked about, eight a row and constraint, base included."""
        return 8 * (self.width + (self.base is not None)) * self.table.rows

    def selectivity(self, matching: int) -> Selectivity:
        """Return what the predicates keep, counted."""
        rows = self.table.rows
        base = self.base_rows
        return Selectivity(
            shares=tuple(len(rows_met) / rows for rows_met in self.row_sets),
            base_share=1.0 if base is None else len(base) / rows,
            matching=matching,
            drawn=DRAWN,
            seed=self.table.seed,
        )


_unseen = count(1)
