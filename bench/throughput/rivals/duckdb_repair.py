"""The answer of `RepairEngine.repair` in plain DuckDB, to be compared with and timed against.

Four statements: the row masks with the repairs read off them; the ranked items; the near
misses; and the rows of everything shown. It leaves out what has no short form in SQL: all
conflicts, certificates, shifts of bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ....catalogs.catalog import Catalog
from ....catalogs.errors import QueryError
from ....catalogs.json_values import Row
from ....catalogs.query.constraint import Constraint
from ....catalogs.query.predicate import literal, quoted
from ....catalogs.query.query import Query
from ....catalogs.sources.loading import TABLE
from .duckdb_histogram import mask_of

SUPPORTED = ("==", "<", "<=", ">", ">=")
UNITS_PER_WEIGHT = 10**12
JUST_OUTSIDE = "1e-9"


@dataclass(frozen=True)
class DuckDbRepairRow:
    """Constraints to drop, what that costs, how many rows then match, and the first of them."""

    dropped: tuple[int, ...]
    cost: float
    count: int
    witness: Row


@dataclass(frozen=True)
class DuckDbAnswer:
    """What the statements found; `items` and `near_misses` are row ids, with score or violation."""

    satisfiable: bool
    count: int
    repairs: tuple[DuckDbRepairRow, ...]
    items: tuple[tuple[int, float], ...]
    near_misses: tuple[tuple[int, float], ...]
    rows: dict[int, Row]


class DuckDbRepair:
    """A query made ready: its SQL is written once, and `run` answers it from the tables.

    `top` bounds repairs, items and near misses each; `cursor` is one of another database that holds
    the same table. Raises `QueryError` for what the
    statements do not express: hard or grouped constraints, objectives, other operators.
    """

    def __init__(self, catalog: Catalog, query: Query, top: int, cursor: Any = None) -> None:
        _check(query)
        self.catalog, self.query, self.top = catalog, query, top
        self.row_id = quoted(catalog.row_id)
        self.columns = [
            catalog.schema.find(str(constraint.column)) for constraint in query.constraints
        ]
        self.conditions = [_condition(constraint) for constraint in query.constraints]
        self.base = " AND ".join(map(_condition, query.base)) or "TRUE"
        self.full = (1 << len(query.constraints)) - 1
        cost = catalog.cost_column
        self.ties = [*([f"{quoted(cost)} NULLS LAST"] if cost else []), self.row_id]
        self._cursor: Any = catalog.cursor().cursor() if cursor is None else cursor
        self._repairs_sql = self._write_repairs()
        self._near_sql = self._write_near_misses()

    def run(self) -> DuckDbAnswer:
        """Return the answer."""
        listed = self._cursor.execute(self._repairs_sql).fetchall()
        dropped = int(listed[0][0]) if listed else self.full
        satisfiable = bool(listed) and not dropped
        items: list[Any] = []
        near: list[Any] = []
        if listed:
            items = self._cursor.execute(self._write_items(dropped)).fetchall()
        if not satisfiable:
            near = self._cursor.execute(self._near_sql).fetchall()
        row_ids = {int(row[0]) for row in (*items, *near)} | {int(row[2]) for row in listed}
        rows = self._fetch(sorted(row_ids))
        repairs = [] if satisfiable else [self._repair(row, rows) for row in listed]
        return DuckDbAnswer(
            satisfiable,
            int(listed[0][1]) if listed else 0,
            tuple(repairs),
            tuple((int(row[0]), float(row[1])) for row in items),
            tuple((int(row[0]), float(row[1])) for row in near),
            rows,
        )

    def _repair(self, row: Sequence[Any], rows: dict[int, Row]) -> DuckDbRepairRow:
        dropped, count, witness, units = (int(value) for value in row)
        positions = tuple(j for j in range(len(self.conditions)) if dropped >> j & 1)
        return DuckDbRepairRow(positions, units / UNITS_PER_WEIGHT, count, rows[witness])

    def _fetch(self, ids: Sequence[int]) -> dict[int, Row]:
        names = self.catalog.columns
        listed = ", ".join(map(quoted, names))
        rows = self._cursor.execute(
            f"SELECT {self.row_id}, {listed} FROM {TABLE} "
            f"WHERE {self.row_id} IN (SELECT unnest(?::BIGINT[]))",
            [list(ids)],
        ).fetchall()
        return {int(row[0]): dict(zip(names, row[1:], strict=True)) for row in rows}

    def _write_repairs(self) -> str:
        """Return SQL for (dropped, count, first row, price) of the cheapest minimal repairs."""
        kind = "UBIGINT" if len(self.conditions) > 32 else "UINTEGER"
        mask = mask_of(self.conditions, kind) or f"0::{kind}"
        every = range(len(self.conditions))
        prices = [
            round(constraint.importance * UNITS_PER_WEIGHT) for constraint in self.query.constraints
        ]
        price = " + ".join(f"{prices[j]} * ((dropped >> {j}) & 1)" for j in every) or "0"
        last = len(self.conditions) - 1
        mirrored = [f"(((dropped >> {j}) & 1) << {last - j})" for j in every]
        mirror = " + ".join(mirrored) or "0"
        return f"""
            WITH masks AS MATERIALIZED (
                SELECT mask, count(*) AS n, min(id) AS first
                FROM (SELECT {self.row_id} AS id, {mask} AS mask FROM {TABLE} WHERE {self.base})
                GROUP BY mask
            ), maximal AS (
                SELECT mask FROM masks a WHERE NOT EXISTS (
                    SELECT 1 FROM masks b WHERE b.mask <> a.mask AND a.mask & b.mask = a.mask)
            ), repairs AS (
                SELECT ({self.full} - t.mask)::BIGINT AS dropped, sum(m.n) AS n,
                    min(m.first) AS first
                FROM maximal t JOIN masks m ON m.mask & t.mask = t.mask GROUP BY t.mask
            )
            SELECT dropped, n, first, ({price})::BIGINT AS price FROM repairs
            ORDER BY price, bit_count(dropped), {mirror} DESC LIMIT {self.top}
        """

    def _write_items(self, dropped: int) -> str:
        """Return SQL for (row, score): nearest to what is dropped first, the best of equals."""
        kept = [condition for j, condition in enumerate(self.conditions) if not dropped >> j & 1]
        score = self._weighed(self._satisfaction)
        where = " AND ".join([self.base, *kept])
        order = self._nearest_first(dropped)
        return (
            f"WITH ends AS MATERIALIZED ({self._ends()}) SELECT {self.row_id}, {score} AS score "
            f"FROM {TABLE}, ends WHERE {where} ORDER BY {order} LIMIT {self.top}"
        )

    def _nearest_first(self, dropped: int) -> str:
        gone = [j for j in range(len(self.conditions)) if dropped >> j & 1]
        near = f"round(({self._weighed(self._distance, gone)}) * {UNITS_PER_WEIGHT})"
        return ", ".join([*([near] if gone else []), "score DESC", *self.ties])

    def _write_near_misses(self) -> str:
        """Return SQL for (row, violation) of the rows that come closest to meeting everything."""
        violation = self._weighed(self._distance)
        order = ", ".join(["violation", *self.ties])
        return (
            f"WITH ends AS MATERIALIZED ({self._ends()}) "
            f"SELECT {self.row_id}, {violation} AS violation FROM {TABLE}, ends "
            f"WHERE {self.base} ORDER BY {order} LIMIT {self.top}"
        )

    def _weighed(self, term: Callable[[int], str], only: Iterable[int] | None = None) -> str:
        weights = [constraint.importance for constraint in self.query.constraints]
        every = range(len(weights)) if only is None else only
        return " + ".join(f"{weights[j]!r}::DOUBLE * {term(j)}" for j in every) or "0.0"

    def _ends(self) -> str:
        """Return SQL for the ends of every numeric column over the base slice: low_j, high_j."""
        listed = [
            f"{end}({quoted(column.name)})::DOUBLE AS {name}_{j}"
            for j, column in enumerate(self.columns)
            if column.family == "numeric"
            for end, name in (("min", "low"), ("max", "high"))
        ]
        if not listed:
            return "SELECT 0 AS nothing"
        return f"SELECT {', '.join(listed)} FROM {TABLE} WHERE {self.base}"

    def _satisfaction(self, j: int) -> str:
        op, column = self.query.constraints[j].op, self.columns[j]
        if op == "==" or column.family != "numeric":
            return f"if({self.conditions[j]}, 1.0::DOUBLE, 0.0::DOUBLE)"
        name = quoted(column.name)
        share = (
            f"if(low_{j} = high_{j}, if({name} IS NULL, NULL, 1.0::DOUBLE), "
            f"({name}::DOUBLE - low_{j}) / (high_{j} - low_{j}))"
        )
        return f"coalesce({share if op in ('>', '>=') else f'1.0::DOUBLE - {share}'}, 0.0::DOUBLE)"

    def _distance(self, j: int) -> str:
        condition, column = self.conditions[j], self.columns[j]
        if column.family != "numeric":
            return f"if({condition}, 0.0::DOUBLE, 1.0::DOUBLE)"
        bound = _number(self.query.constraints[j])
        name = f"{quoted(column.name)}::DOUBLE"
        span = f"(greatest(high_{j}, {bound}) - least(low_{j}, {bound}))"
        far = f"greatest(abs({name} - {bound}) / {span}, {JUST_OUTSIDE}::DOUBLE)"
        return f"if({condition}, 0.0::DOUBLE, coalesce({far}, 1.0::DOUBLE))"


def _check(query: Query) -> None:
    strange = any(
        constraint.op not in SUPPORTED or constraint.column is None
        for constraint in (*query.base, *query.constraints)
    )
    bound = any(constraint.hard or constraint.group for constraint in query.constraints)
    if strange or bound or query.objectives:
        raise QueryError(
            "plain SQL repairs weighted comparisons only",
            hint="leave out hard and grouped constraints, objectives and other operators",
        )


def _condition(constraint: Constraint) -> str:
    op = "=" if constraint.op == "==" else constraint.op
    return f"{quoted(str(constraint.column))} {op} {_bound(constraint)}"


def _bound(constraint: Constraint) -> str:
    value = cast("Any", constraint.value)
    return _number(constraint) if isinstance(value, float) else literal(value)


def _number(constraint: Constraint) -> str:
    return f"{float(cast('float', constraint.value))!r}::DOUBLE"
