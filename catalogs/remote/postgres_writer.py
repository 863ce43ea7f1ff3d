"""Conditions in Postgres's SQL that give what DuckDB gives, written from the allow-listed tree.

DuckDB says what type each expression has; operands are cast to it before Postgres computes. What is
not known to agree is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple, cast

from sqlglot import exp

from ..errors import ParseError
from ..query.predicate import Slot, literal, quoted
from ..query.schema import Schema
from ..query.sql_expression import ExpressionWriter
from ..query.sql_tokens import parse_expression, tokens_of
from .type_oracle import TypeOracle

MAX_DEPTH = 100
"""How deep operators may stand inside each other; chains of AND and OR count once."""

WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_TYPES = {
    "TINYINT": "SMALLINT",
    "SMALLINT": "SMALLINT",
    "INTEGER": "INTEGER",
    "BIGINT": "BIGINT",
    "HUGEINT": "NUMERIC",
    "FLOAT": "REAL",
    "DOUBLE": "DOUBLE PRECISION",
    "VARCHAR": "TEXT",
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "TIMESTAMP": "TIMESTAMP",
}


class Typed(NamedTuple):
    """SQL in parts, columns as DuckDB quotes them, and DuckDB's type of it.

    `node` is the tree it was written from; `is_constant`: it reads no column.
    """

    parts: tuple[str, ...]
    kind: str
    node: exp.Expr
    is_constant: bool = False


def postgres_type(kind: str) -> str:
    """Return the type of Postgres that holds what a type of DuckDB holds; empty for none."""
    return "NUMERIC" if kind.startswith("DECIMAL") else _TYPES.get(kind, "")


def is_number(kind: str) -> bool:
    """Return whether values of a type are numbers."""
    return kind in (*WHOLE, "FLOAT", "DOUBLE") or kind.startswith("DECIMAL")


def is_inexact(kind: str) -> bool:
    """Return whether values of a type are binary fractions."""
    return kind in ("FLOAT", "DOUBLE")


class PostgresWriter:
    """Writes one condition; `refused` is the error for what is not known to agree."""

    def __init__(
        self, text: str, schema: Schema, oracle: TypeOracle, rules: Mapping[type[exp.Expr], Rule]
    ) -> None:
        self.text, self.oracle = text, oracle
        self._schema, self._rules = schema, rules
        self._tree = parse_expression(text, tokens_of(text))
        self._depth = 0

    def condition(self) -> tuple[str, ...]:
        """Return the whole condition."""
        return self.truth(self._tree).parts

    def refused(self, node: exp.Expr, what: str = "") -> ParseError:
        """Return that this engine is not asked something, by its name."""
        name = what or _name(node)
        hint = "ask it of a copy of the rows, or write it otherwise"
        return ParseError(self.text, 0, f"{name} is not asked of postgres", hint=hint)

    def duckdb(self, node: exp.Expr) -> list[str | Slot]:
        """Return a node as DuckDB runs it."""
        return ExpressionWriter(self.text, self._schema).parts(node)

    def kind(self, node: exp.Expr) -> str:
        """Return DuckDB's type of a node."""
        return self.oracle.types([self.duckdb(node)])[0]

    def common(self, nodes: Sequence[exp.Expr]) -> str:
        """Return the type in which DuckDB compares some nodes."""
        parts: list[str | Slot] = ["CASE"]
        for node in nodes:
            parts += [" WHEN TRUE THEN (", *self.duckdb(node), ")"]
        return self.oracle.types([[*parts, " END"]])[0]

    def write(self, node: exp.Expr) -> Typed:
        """Return a node for Postgres with its type; raise `ParseError` for what is not asked."""
        while isinstance(node, exp.Paren):
            node = cast("exp.Expr", node.this)
        if isinstance(node, exp.Column):
            name = self._schema.find(node.name).name
            return Typed((quoted(name),), self._schema.find(name).sql_type, node)
        if node.find(exp.Column) is None:
            return self._constant(node)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self.refused(node, f"more than {MAX_DEPTH} operators inside each other")
        try:
            rule = self._rules.get(type(node))
            if rule is None:
                raise self.refused(node)
            return rule(self, node)
        finally:
            self._depth -= 1

    def _constant(self, node: exp.Expr) -> Typed:
        parts = self.duckdb(node)
        (kind,) = self.oracle.types([parts])
        return Typed((written(self.oracle.constant(parts), kind),), kind, node, is_constant=True)

    def truth(self, node: exp.Expr) -> Typed:
        """Return a node that is a truth; refuse others, which DuckDB would cast."""
        found = self.write(node)
        if found.kind not in ("BOOLEAN", '"NULL"'):
            raise self.refused(node, f"{found.kind} as a truth")
        return found

    def text_of(self, node: exp.Expr) -> Typed:
        """Return a node that is text; refuse others."""
        found = self.write(node)
        if found.kind not in ("VARCHAR", '"NULL"'):
            raise self.refused(node, f"{found.kind} as a text")
        return found

    def cast(self, found: Typed, kind: str) -> tuple[str, ...]:
        """Return what was written as a type that holds all its values or rounds as DuckDB does."""
        if found.is_constant and found.kind != kind:
            value = self.oracle.constant(self.duckdb(found.node), kind)
            return (written(value, kind),)
        if found.kind == kind or not postgres_type(kind) or found.kind == '"NULL"':
            return found.parts
        if is_number(found.kind) != is_number(kind):
            raise self.refused(found.node, f"{found.kind} beside {kind}")
        if kind.startswith("DECIMAL") and not is_inexact(found.kind):
            return found.parts
        if {found.kind, kind} == {"DATE", "TIMESTAMP"} or is_number(kind):
            return ("CAST(", *found.parts, f" AS {postgres_type(kind)})")
        raise self.refused(found.node, f"{found.kind} beside {kind}")

    def alike(self, nodes: Sequence[exp.Expr]) -> tuple[list[tuple[str, ...]], str]:
        """Return nodes cast to the type in which DuckDB compares them, and the type."""
        found = [self.write(node) for node in nodes]
        kind = self._compared_as(nodes, found)
        if not postgres_type(kind):
            raise self.refused(nodes[0], f"a comparison of {kind}")
        return [self.cast(each, kind) for each in found], kind

    def _compared_as(self, nodes: Sequence[exp.Expr], found: Sequence[Typed]) -> str:
        # A constant text is read as the type of what stands beside it.
        kinds = {each.kind for each in found if not (each.is_constant and each.kind == "VARCHAR")}
        if len(kinds) == 1:
            return kinds.pop()
        kinds -= {'"NULL"'}
        if len({is_number(kind) for kind in kinds}) > 1:
            listed = " beside ".join(dict.fromkeys(each.kind for each in found))
            raise self.refused(nodes[0], listed)
        others = [
            node
            for node, each in zip(nodes, found, strict=True)
            if not (each.is_constant and each.kind == "VARCHAR") or not kinds
        ]
        return self.common(others)


def as_single(parts: Sequence[str]) -> tuple[str, ...]:
    """Return a double rounded to a single; beyond all singles it is infinite, or zero.

    Postgres would fail there.
    """
    size = ("ABS(", *parts, ")")
    return (
        "CAST(CASE WHEN ", *size, " >= CAST('3.4028235677973366e38' AS DOUBLE PRECISION) "
        "THEN CAST('Infinity' AS DOUBLE PRECISION) * SIGN(", *parts, ") WHEN ", *size,
        " <= CAST('7.006492321624085e-46' AS DOUBLE PRECISION) THEN 0 ELSE ", *parts,
        " END AS REAL)",
    )  # fmt: skip


def written(value: Any, kind: str) -> str:
    """Return a constant as Postgres reads it exactly, of the type that DuckDB gives it."""
    if value is None:
        named = postgres_type(kind)
        return f"CAST(NULL AS {named})" if named else "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    named = postgres_type(kind)
    if isinstance(value, str):
        return f"CAST({literal(value)} AS TEXT)"
    if isinstance(value, datetime):
        return f"CAST('{value.isoformat(sep=' ')}' AS TIMESTAMP)"
    if isinstance(value, date):
        return f"CAST('{value.isoformat()}' AS DATE)"
    shown = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(str(value), str(value))
    return f"CAST('{shown}' AS {named or 'NUMERIC'})"


def _name(node: exp.Expr) -> str:
    if isinstance(node, exp.Anonymous):
        return f"{node.name}()"
    return f"{type(node).__name__}"


Rule = Callable[[Any, Any], Typed]
"""Writes a node, given the writer and the node."""


def joined(parts: Sequence[Sequence[str]], between: str) -> Iterator[str]:
    """Yield parts with a text between each two."""
    for place, part in enumerate(parts):
        yield from ((between, *part) if place else part)
