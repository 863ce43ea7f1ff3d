"""A predicate as one Ibis expression that means on every engine what it means on a file.

It is never NULL. Values are written as text and cast to the column's own type, text by the
engine's own rules of quoting.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from ..query.constraint import NULL_TESTS
from ..query.predicate import Predicate
from ..query.schema import Column, Schema
from .engines import Engine, read_type
from .letter_case import folding_of, lowered
from .libraries import ibis
from .library_types import Table, Truth
from .reduced_tests import ReducedTest, of_text, reduced

_COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda column, value: column == value,
    "<": lambda column, value: column < value,
    "<=": lambda column, value: column <= value,
    ">": lambda column, value: column > value,
    ">=": lambda column, value: column >= value,
}


def expression(predicate: Predicate, table: Table, schema: Schema, engine: Engine) -> Truth:
    """Return which rows of a table satisfy a predicate on one column: true or false, never NULL."""
    met, may_be_null = _condition(predicate, table, schema, engine)
    return met.fill_null(predicate.nulls_match) if may_be_null else met


def condition(predicate: Predicate, table: Table, schema: Schema, engine: Engine) -> Truth:
    """Return the same for a WHERE, where NULL is as good as false, and an index is looked up."""
    met, may_be_null = _condition(predicate, table, schema, engine)
    return met.fill_null(True) if may_be_null and predicate.nulls_match else met


def _condition(
    predicate: Predicate, table: Table, schema: Schema, engine: Engine
) -> tuple[Any, bool]:
    """Return a condition, and whether it is NULL for NULL."""
    assert predicate.test is not None
    column = schema.find(predicate.columns[0])
    values: Any = table[column.name]
    if predicate.test.op in NULL_TESTS:
        return (values.isnull() if predicate.test.op == "is null" else values.notnull()), False
    asked = reduced(predicate.test, column)
    if asked.op in ("every", "none"):
        every = asked.op == "every"
        return _constant(values, every=every, nulls_match=predicate.nulls_match), False
    met = _met(asked, values, column, engine)
    return (~met if asked.negated else met), True


def _constant(values: Any, *, every: bool, nulls_match: bool) -> Any:
    """Return a condition that looks at NULL alone."""
    if every == nulls_match:
        return ibis.literal(every)
    return values.notnull() if every else values.isnull()


def _met(asked: ReducedTest, values: Any, column: Column, engine: Engine) -> Any:
    if column.family == "list":
        return _any([values.contains(text) for text in asked.values])
    if asked.op in ("like", "ilike"):
        return like(values, asked.values[0], engine, folds=asked.op == "ilike")
    if asked.op in ("contains", "contains any"):
        return _any([values.contains(part) for part in asked.values])
    bounds = [value_of(value, column) for value in asked.values]
    if asked.op == "in":
        return values.isin(bounds)
    if asked.op == "between":
        return values.between(*bounds)
    return _COMPARED[asked.op](values, bounds[0])


def _any(conditions: Sequence[Any]) -> Any:
    return reduce(lambda one, other: one | other, conditions)


def value_of(value: Any, column: Column) -> Any:
    """Return a bound as a literal of the column's own type; a double beside a single."""
    if isinstance(value, str | bool):
        return ibis.literal(value)
    if column.is_integer:
        return ibis.literal(int(value), read_type(column.sql_type))
    is_single = column.sql_type == "FLOAT"
    return ibis.literal(of_text(value)).cast("float64" if is_single else read_type(column.sql_type))


def like(values: Any, pattern: str, engine: Engine, *, folds: bool) -> Any:
    """Return whether texts match a pattern in which a backslash is a character like others.

    `folds` leaves case aside as DuckDB does, letter by letter, whatever the engine knows of case.
    """
    if folds and engine.is_duckdb:
        return values.ilike(pattern)
    if folds:
        pattern = lowered(pattern)
        upper, lower = folding_of(pattern)
        values = values.translate(upper, lower) if upper else values
    return values.like(pattern.replace("\\", "\\\\") if engine.like_escapes else pattern)
