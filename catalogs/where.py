"""A WHERE text to constraints, split at its top-level ANDs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, cast

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from .columns import Schema
from .constraint import Constraint, Scalar
from .errors import ParseError
from .expression import (
    COMPARISON_NODES,
    bind_expression,
    checked_columns,
    number_of,
    parse_expression,
)
from .plain_where import read_plain
from .predicate import quoted
from .sql_tokens import conjuncts_of, source_text, tokens_of

__all__ = ["bind_expression", "parse_where"]

REMEMBERED = 1_024
REMEMBERED_LENGTH = 2_000
"""Characters of the longest text whose constraints are kept, so that memory is bounded."""


def parse_where(text: str, schema: Schema | None = None) -> list[Constraint]:
    """Return a WHERE text as constraints, one for each conjunct of its top-level ANDs.

    `column op value` becomes a structured constraint, anything else a SQL expression, in the
    author's words. With a schema, columns are checked and take the catalog's spelling. Raises
    `ParseError` with the position, `UnknownColumn`, and `BadConstraint` for values no
    constraint can have.
    """
    # The same searches come again and again, and take milliseconds to read.
    read = _read_again if len(text) <= REMEMBERED_LENGTH else _read
    return list(read(text, schema))


def _read(text: str, schema: Schema | None) -> tuple[Constraint, ...]:
    return read_plain(text, schema) or _parsed(text, schema)


def _parsed(text: str, schema: Schema | None) -> tuple[Constraint, ...]:
    tokens = tokens_of(text)
    tree = parse_expression(text, tokens)
    checked_columns(tree, tokens, text, schema)
    parts = conjuncts_of(tokens)
    trees = _trees(tree, parts)
    found: list[Constraint] = []
    for part, part_tree in zip(parts, trees, strict=True):
        leaf = Leaf(source_text(part, text), text, part[0].start + 1)
        found.append(leaf.constraint(part_tree or parse_expression(leaf.text), schema))
    return tuple(found)


_read_again = lru_cache(REMEMBERED)(_read)


def _trees(tree: exp.Expr, parts: Sequence[Sequence[Token]]) -> list[exp.Expr | None]:
    """Return the trees of the parts of a text; None for those that have to be parsed alone."""
    pending, found = [tree], list[exp.Expr]()
    while pending and len(found) <= len(parts):
        node = _without_brackets(pending.pop())
        if isinstance(node, exp.And):
            pending += [cast("exp.Expr", node.expression), cast("exp.Expr", node.this)]
        else:
            found.append(node)
    same = len(found) == len(parts) and not pending
    if not same or not all(map(_stands_in, found, parts)):
        return [None] * len(parts)
    return list(found)


def _stands_in(tree: exp.Expr, part: Sequence[Token]) -> bool:
    """Whether every name of a tree comes from these tokens."""
    names = tree.find_all(exp.Identifier)
    starts = (cast("int", one.meta.get("start", -1)) for one in names)
    return all(part[0].start <= start <= part[-1].end for start in starts)


Structured = tuple[str, str, Scalar | tuple[Scalar, ...] | None]


class Leaf:
    """One conjunct: its own text, and where it stands in the whole one."""

    def __init__(self, text: str, whole: str, position: int) -> None:
        self.text = text
        self.whole = whole
        self.position = position

    def constraint(self, tree: exp.Expr, schema: Schema | None) -> Constraint:
        """Return it structured if its tree is `column op value`, as a SQL expression if not."""
        structured = self._structured(tree)
        if structured is None:
            return Constraint(op="sql", value=self.text)
        column, op, value = structured
        name = schema.find(column).name if schema else column
        if value is None:
            return Constraint(column=name, op=op)
        return Constraint(column=name, op=op, value=value)

    def _structured(self, tree: exp.Expr) -> Structured | None:
        node = _without_brackets(tree)
        if isinstance(node, exp.Not):
            return self._negated(node)
        if type(node) in COMPARISON_NODES:
            return self._comparison(node)
        left = node.this
        if not isinstance(left, exp.Column):
            return None
        if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
            return left.name, "is null", None
        if isinstance(node, exp.Between) and not node.args.get("symmetric"):
            ends = self._values([node.args["low"], node.args["high"]])
            return (left.name, "between", ends) if ends else None
        if isinstance(node, exp.In):
            values = self._values(node.expressions)
            return (left.name, "in", values) if values else None
        return self._pattern(node, left.name)

    def _pattern(self, node: exp.Expr, column: str) -> Structured | None:
        kinds = {exp.Like: "like", exp.ILike: "ilike", exp.Contains: "contains"}
        op = kinds.get(cast("type[Any]", type(node)))
        if op is None or node.args.get("negate"):
            return None
        value = self._value(cast("exp.Expr", node.expression))
        return (column, op, value) if isinstance(value, str) else None

    def _negated(self, node: exp.Not) -> Structured | None:
        """NOT turns into an operator only where NULL stays NULL and nothing is lost."""
        found = self._structured(cast("exp.Expr", node.this))
        opposite = {"==": "!=", "!=": "==", "in": "not in", "is null": "is not null"}
        if found is None or found[1] not in opposite:
            return None
        return found[0], opposite[found[1]], found[2]

    def _comparison(self, node: exp.Expr) -> Structured | None:
        left, right = cast("exp.Expr", node.this), cast("exp.Expr", node.expression)
        straight, flipped = COMPARISON_NODES[type(node)]
        for column, other, op in ((left, right, straight), (right, left, flipped)):
            if not isinstance(column, exp.Column):
                continue
            if isinstance(other, exp.Null):
                raise self._null_compared(column)
            value = self._value(other)
            return None if value is None else (column.name, op, value)
        return None

    def _null_compared(self, column: exp.Column) -> ParseError:
        hint = f"NULL equals nothing: write {quoted(column.name)} IS NULL or IS NOT NULL"
        problem = "a comparison with NULL"
        return ParseError(self.whole, self.position, problem, hint=hint)

    def _values(self, nodes: Sequence[exp.Expr]) -> tuple[Scalar, ...] | None:
        values = [self._value(node) for node in nodes]
        found = tuple(value for value in values if value is not None)
        return found if len(found) == len(values) else None

    def _value(self, node: exp.Expr) -> Scalar | None:
        """Return a literal's value: number, negative number, text, truth, DATE, TIMESTAMP."""
        if isinstance(node, exp.Neg):
            inner = node.this
            is_number = isinstance(inner, exp.Literal) and not inner.is_string
            return -self._number(inner) if is_number else None
        if isinstance(node, exp.Literal):
            return str(node.this) if node.is_string else self._number(node)
        if isinstance(node, exp.Boolean):
            return bool(node.this)
        if type(node) is exp.Cast and isinstance(node.this, exp.Literal) and node.this.is_string:
            return _moment(str(node.this.this), str(node.to.this.value))
        return None

    def _number(self, node: exp.Literal) -> int | float:
        number = number_of(str(node.this), self.whole, self.position - 1)
        return float(number) if isinstance(number, Decimal) else number


def _without_brackets(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren):
        node = cast("exp.Expr", node.this)
    return node


def _moment(text: str, sql_type: str) -> str | None:
    """Return an ISO date or moment as text; None for what a cast would cut or refuse."""
    read = {"DATE": date, "TIMESTAMP": datetime, "TIMESTAMPNTZ": datetime}.get(sql_type)
    try:
        moment = read.fromisoformat(text) if read else None
    except ValueError:
        return None
    return None if moment is None or getattr(moment, "tzinfo", None) else text
