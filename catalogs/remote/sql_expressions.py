"""Conditions in SQL on every engine: checked as for a file, then written for the engine.

DuckDB runs what a file would run. For Postgres the tree is written anew, each operator and function
so that it gives what DuckDB gives; what is not known to do so is refused by its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ..errors import BadConstraint
from ..query.predicate import Predicate, Slot, literal, quoted, unless
from ..query.schema import Schema
from .engines import OTHER, Engine
from .library_types import Table
from .type_oracle import TypeOracle
from .written_condition import written_condition


def written_expression(
    predicate: Predicate, table: Table, schema: Schema, engine: Engine, oracle: TypeOracle
) -> Any:
    """Return a condition in SQL as an Ibis expression, never NULL; raise what it cannot be."""
    parts = engine_parts(predicate, schema, engine, oracle)
    by_name = {quoted(name): table[name] for name in predicate.columns}
    placed: list[Any] = [by_name.get(part, part) for part in parts]
    if not predicate.columns:
        # Ibis knows no condition on rows that reads no column.
        first = table[schema.names[0]]
        placed = ["CASE WHEN ", first, " IS NULL THEN ", *parts, " ELSE ", *parts, " END"]
    compiler: Any = table.get_backend().compiler
    met = written_condition(placed, cast("type[Any]", type(compiler)))
    # Inside a function DuckDB would compute both sides of a connective for every row. Of a
    # condition that NULL meets the parts say what denies it.
    return met.ifelse(not predicate.nulls_match, predicate.nulls_match)


def written_text(predicate: Predicate, schema: Schema, engine: Engine, oracle: TypeOracle) -> str:
    """Return a condition in SQL as this engine runs it, columns by their bare names."""
    parts = engine_parts(predicate, schema, engine, oracle)
    names = {quoted(name): engine.quoted(name) for name in predicate.columns}
    text = "".join(names.get(part, part) for part in parts)
    return unless(text) if predicate.nulls_match else f"({text})"


def engine_parts(
    predicate: Predicate, schema: Schema, engine: Engine, oracle: TypeOracle
) -> list[str]:
    """Return a condition in this engine's SQL, in parts, columns as DuckDB quotes them.

    Raises `QueryError` for what this engine is not asked, and for what is no condition.
    """
    for name in predicate.columns:
        column = schema.find(name)
        if column.sql_type == OTHER:
            problem = f"{column.name!r} is of a type of which only NULL is asked"
            raise BadConstraint("value", predicate.author_sql, problem, hint="use op 'is null'")
    parts = predicate.single_parts
    (kind,) = oracle.types([parts])
    if kind != "BOOLEAN":
        problem = f"gives {kind.lower()}, not yes or no"
        raise BadConstraint("value", predicate.author_sql, problem, hint="compare it")
    if engine.is_duckdb:
        return duckdb_parts(parts)
    if engine.name != "postgres":
        problem = f"SQL expressions are not asked of {engine.name}"
        hint = "use constraints of a column"
        raise BadConstraint("value", predicate.author_sql, problem, hint=hint)
    from .postgres_rules import postgres_parts

    return postgres_parts(parts, schema, oracle)


def duckdb_parts(parts: Sequence[str | Slot]) -> list[str]:
    """Return SQL parts with values as literals of the types that bound values have."""
    return [part if isinstance(part, str) else _typed(part) for part in parts]


def _typed(slot: Slot) -> str:
    value = slot.value
    if isinstance(value, float):
        return f"CAST('{value!r}' AS DOUBLE)"
    if isinstance(value, int):
        kind = "INTEGER" if abs(value) < 2**31 else "BIGINT" if abs(value) < 2**63 else "HUGEINT"
        return f"CAST({literal(value)} AS {kind})"
    return literal(value)
