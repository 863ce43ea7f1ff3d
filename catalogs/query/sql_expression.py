"""SQL boolean expressions: parsed once, checked node by node, and written anew from the tree.

sqlglot parses the text. `_RULES` says what SQL each allowed class of node becomes; a node without
a rule is refused, and so is one with a part that its rule does not write. Only the SQL so written
is run, its literals bound as values. It keeps the author's order and brackets, so that DuckDB
groups operators as in the author's text. That text itself is shown to people, never run.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, cast

from sqlglot import exp

from ..errors import ParseError, excerpt, nearest
from .limits import present_limits
from .place_binding import TextsOf, no_texts
from .place_clause import is_place_call, place_arguments, place_sql
from .predicate import MAX_DECIMAL_DIGITS, Predicate, Slot, beside, literal_text, quoted, unless
from .schema import Schema
from .sql_tokens import author_sql, parse_expression, refused, tokens_of

MAX_JOINED_TEXTS = 32
"""How many texts one expression may join; each could be a long cell of every row."""

MAX_CALLS = 128
"""Functions, casts and patterns of one text; the slowest take half a second for 10⁶ rows."""

MAX_OPERATORS = 2_000
"""Comparisons, sums and connectives of one text; a millisecond each for 10⁶ rows."""

FUNCTIONS = frozenset(
    "abs ceil ceiling floor round sqrt mod greatest least coalesce ifnull nullif if cast try_cast "
    "lower upper lcase ucase length len trim ltrim rtrim substring substr left right replace "
    "concat contains list_contains starts_with ends_with year month day quarter".split()
)
"""What may be called, by name."""

_TYPES = {
    **{name: name for name in "BOOLEAN TINYINT SMALLINT BIGINT FLOAT DOUBLE DATE".split()},
    **dict.fromkeys(("VARCHAR", "TEXT"), "VARCHAR"),
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMPNTZ"), "TIMESTAMP"),
    "INT": "INTEGER",
    "INT128": "HUGEINT",
}
"""What may be cast to: the parser's name of a type and DuckDB's."""

_CURLY_QUOTES = "\u2018\u2019\u201c\u201d\u00b4`"


@dataclass(frozen=True)
class Denied:
    """A node to be written as what is true where it is false; the connective it stands in."""

    node: exp.Expr
    parent: exp.Expr | None = None


Part = str | Slot | exp.Expr | Denied
"""A piece of SQL: text, a value to bind, or a node still to be written."""


def bind_expression(
    text: str, schema: Schema, texts_of: TextsOf = no_texts, *, nulls_match: bool = False
) -> Predicate:
    """Return a SQL boolean expression as a predicate, its literals taken out as bound values.

    `texts_of` gives the distinct texts of a column of opening hours. Raises `ParseError`,
    `UnknownColumn`, or `BadConstraint` for a place or a moment that cannot be.
    """
    tokens = tokens_of(text)
    writer = ExpressionWriter(text, schema, texts_of)
    tree = parse_expression(text, tokens)
    parts = writer.parts(Denied(tree) if nulls_match else tree)
    names = tuple(sorted({*writer.columns.values(), *writer.placed}))
    # Where the author called what no database has, what is run is shown.
    shown = writer.parts(tree) if writer.placed and nulls_match else parts
    sql = (
        literal_text(shown)
        if writer.placed
        else author_sql(tokens, text, writer.columns, FUNCTIONS)
    )
    if nulls_match:
        # Inside a function DuckDB would compute both sides of a connective for every row.
        sql = unless(literal_text(parts)) if _is_connective(tree) else f"coalesce({sql}, TRUE)"
    bound = beside((schema.find(name).sql_type for name in names), parts)
    return Predicate(bound, names, nulls_match, author_sql=sql)


class ExpressionWriter:
    """SQL of the trees of one text, checked against the allow-list and its limits.

    `columns` maps the offset of each column's name to the name in the catalog, `placed` are those
    that calls about places and hours read. Without a schema every name is taken for a column.
    """

    def __init__(self, text: str, schema: Schema | None, texts_of: TextsOf = no_texts) -> None:
        self.text = text
        self.schema = schema
        self.columns: dict[int, str] = {}
        self.placed: set[str] = set()
        self._texts_of = texts_of
        self._counts = Counter[str]()

    def parts(self, tree: exp.Expr | Denied) -> list[str | Slot]:
        """Return the tree as SQL text and values; raise `ParseError` or `UnknownColumn`.

        Without recursion: a chain of sums is as deep as it is long.
        """
        parts: list[str | Slot] = []
        pending: list[Part] = [tree]
        while pending:
            part = pending.pop()
            if isinstance(part, exp.Expr):
                pending += reversed(self._written(part))
            elif isinstance(part, Denied):
                pending += reversed(self._denied(part))
            else:
                parts.append(part)
        return parts

    def _written(self, node: exp.Expr) -> tuple[Part, ...]:
        """Return the SQL of a node, its operands still as nodes."""
        if isinstance(node, exp.Column):
            name = self.column(node)
            if self.schema and name not in self.schema.names:
                raise self._refused(
                    node, "what is measured is no column", "write it without quotes"
                )
            return (quoted(name),)
        if isinstance(node, exp.Literal):
            return self._literal(node)
        self._check_limits(node)
        if isinstance(node, exp.Anonymous) and is_place_call(node):
            return self._placed(node)
        rule = _RULES.get(type(node))
        parts = tuple(rule(node)) if rule else ()
        # A rule that left an operand out would change the meaning without a word.
        operands = sum(isinstance(part, exp.Expr) for part in parts)
        if not parts or operands != sum(1 for _ in node.iter_expressions()):
            raise self._refused(node)
        return parts

    def _placed(self, call: exp.Anonymous) -> tuple[Part, ...]:
        """Return the SQL of a call about places or hours."""
        if self.schema is None:
            place_arguments(call, self.text, self._argument)
            return ("NULL",)
        parts, columns = place_sql(call, self.text, self._argument, self.schema, self._texts_of)
        self.placed.update(columns)
        return ("(", *parts, ")")

    def _argument(self, node: exp.Expr) -> str | float | None:
        """Return the value of a literal; None for anything else."""
        if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
            number = self._argument(node.this)
            return None if isinstance(number, str | None) else -number
        if not isinstance(node, exp.Literal):
            return None
        return str(node.this) if node.is_string else float(self.number(node))

    def _denied(self, denied: Denied) -> tuple[Part, ...]:
        """Return the SQL of what is true where an expression is false (De Morgan's laws).

        DuckDB stops at the same operand that it would stop at in the expression itself, which it
        does not inside NOT.
        """
        node = denied.node
        if isinstance(node, exp.Paren):
            return ("(", Denied(cast("exp.Expr", node.this)), ")")
        if not isinstance(node, exp.And | exp.Or):
            return ("NOT (", node, ")")
        self._check_limits(node)
        sides = [Denied(cast("exp.Expr", side), node) for side in (node.this, node.expression)]
        parts = (sides[0], " OR " if isinstance(node, exp.And) else " AND ", sides[1])
        inside = denied.parent is not None and type(denied.parent) is not type(node)
        return ("(", *parts, ")") if inside else parts

    def column(self, node: exp.Column) -> str:
        """Return the catalog's name of a column; raise `UnknownColumn`."""
        identifier = node.this
        if node.parts[:-1]:
            raise self._refused(node, f"{excerpt(node.sql('duckdb'))} names a table")
        if not isinstance(identifier, exp.Identifier):
            raise self._refused(node)
        name = node.name
        if self.schema and name not in self.schema.names:
            hint = _column_hint(node, self.schema)
            name = self.schema.find(name, hint=hint).name
        self.columns[cast("int", identifier.meta.get("start", -1))] = name
        return name

    def number(self, node: exp.Literal) -> int | float | Decimal:
        """Return the value of a numeric literal; see `number_of`."""
        return number_of(str(node.this), self.text, self.start(node))

    def start(self, node: exp.Expr) -> int:
        """Return the offset in the text at which a node's first known word stands."""
        starts = [part.meta["start"] for part in node.walk() if "start" in part.meta]
        return min(starts, default=0)

    def _literal(self, node: exp.Literal) -> tuple[Part, ...]:
        if node.is_string:
            self._check_text(node)
            return (Slot(str(node.this)),)
        value = self.number(node)
        # Beyond 63 bits the client would bind an unsigned number, which has no minus.
        is_huge = isinstance(value, int) and value >= 2**63
        return ("CAST(", Slot(value), " AS HUGEINT)") if is_huge else (Slot(value),)

    def _check_text(self, node: exp.Literal) -> None:
        """Raise `ParseError` for a text, or a pattern, longer than a constraint's may be."""
        is_pattern = isinstance(node.parent, exp.Like | exp.ILike) and node.arg_key == "expression"
        most = present_limits().pattern if is_pattern else present_limits().text
        if len(str(node.this)) > most:
            kind = "pattern" if is_pattern else "text"
            raise self._refused(node, f"a {kind} of more than {most:,} characters")

    def _check_limits(self, node: exp.Expr) -> None:
        """Raise `ParseError` where a text asks too much: there is no deadline inside DuckDB."""
        counts = self._counts
        joins_texts = isinstance(node, exp.Anonymous) and str(node.this).casefold() == "concat"
        counts["joins"] += len(node.expressions) if joins_texts else isinstance(node, exp.DPipe)
        counts["calls"] += isinstance(node, _CALLS)
        counts["operators"] += isinstance(node, _OPERATORS)
        if counts["joins"] > MAX_JOINED_TEXTS:
            raise self._refused(node, f"joins more than {MAX_JOINED_TEXTS} texts")
        if counts["calls"] > MAX_CALLS:
            raise self._refused(node, f"calls more than {MAX_CALLS} functions")
        if counts["operators"] > MAX_OPERATORS:
            raise self._refused(node, f"holds more than {MAX_OPERATORS} operators")

    def _refused(self, node: exp.Expr, problem: str = "", hint: str = "") -> ParseError:
        node = node if problem else node.find(exp.Select) or node
        word = re.search(rf"\b{re.escape(_source_name(node))}", self.text, re.IGNORECASE)
        start = node.meta.get("start", word.start() if word else self.start(node))
        if hint:
            return ParseError(self.text, start + 1, problem, hint=hint)
        return refused(self.text, start + 1, problem or _problem(node))


def _is_connective(tree: exp.Expr) -> bool:
    while isinstance(tree, exp.Paren):
        tree = cast("exp.Expr", tree.this)
    return isinstance(tree, exp.And | exp.Or)


def _problem(node: exp.Expr) -> str:
    if isinstance(node, exp.In):
        return "IN needs a list of values"
    if isinstance(node, exp.DataType):
        return f"type {excerpt(node.sql('duckdb'))} is not allowed here"
    if _source_name(node).casefold() == "replace":
        return "replace() may only put text of the same length or shorter"
    return f"{excerpt(_source_name(node))} is not allowed here"


def _source_name(node: exp.Expr) -> str:
    if isinstance(node, exp.Anonymous):
        return node.name
    return type(node).sql_name() if isinstance(node, exp.Func) else node.key.upper()


def _column_hint(node: exp.Column, schema: Schema) -> str:
    if node.name[:1] in _CURLY_QUOTES:
        return "text takes straight single quotes: '…'"
    is_value = isinstance(node.parent, (*COMPARISONS, exp.In)) and node.arg_key != "this"
    if not is_value or nearest(node.name, schema.names):
        return ""
    name = excerpt(node.name)[1:-1]
    if node.this.quoted:
        return f"text takes single quotes: '{name}'"
    return f"if it is text, put it in single quotes: '{name}'"


def number_of(number: str, text: str, start: int) -> int | float | Decimal:
    """Return a number as DuckDB types it: integer, decimal with a point, double with an e.

    Raises `ParseError` for what is no number or out of range.
    """
    if not re.fullmatch(r"(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", number, re.ASCII):
        raise ParseError(text, start + 1, f"{excerpt(number)} is not a number")
    value = float(number)
    if not math.isfinite(value) or abs(value) >= 2**126:
        raise ParseError(text, start + 1, "a number out of range", hint="give a smaller one")
    digits = sum(character.isdigit() for character in number)
    if "e" in number.casefold() or digits > MAX_DECIMAL_DIGITS:
        return value
    return Decimal(number) if "." in number else int(number)


COMPARISONS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_SIGNS: dict[type[exp.Expr], str] = COMPARISONS | {
    exp.NullSafeEQ: "IS NOT DISTINCT FROM",
    exp.NullSafeNEQ: "IS DISTINCT FROM",
    exp.And: "AND",
    exp.Or: "OR",
    exp.Escape: "ESCAPE",
    exp.DPipe: "||",
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.IntDiv: "//",
    exp.Mod: "%",
}
_CALLS = (exp.Anonymous, exp.Cast, exp.TryCast, exp.Trim, exp.Substring, exp.Like, exp.ILike)
_OPERATORS = (exp.Binary, exp.Unary, exp.Between, exp.In, exp.Case, exp.If)


def _infix(node: Any) -> Iterable[Part]:
    return node.this, f" {_SIGNS[type(node)]} ", node.expression


def _pattern(node: Any) -> Iterable[Part]:
    sign = "ILIKE" if isinstance(node, exp.ILike) else "LIKE"
    negation = " NOT" if node.args.get("negate") else ""
    return node.this, f"{negation} {sign} ", node.expression


def _not(node: Any) -> Iterable[Part]:
    """Return NOT before the operand; one such as `x NOT IN (…)` writes it itself."""
    if not isinstance(node.this, _NEGATED_INSIDE):
        return "NOT ", node.this
    bare = node.parent is None or isinstance(node.parent, exp.And | exp.Or | exp.Paren)
    return (node.this,) if bare else ("(", node.this, ")")


_NEGATED_INSIDE = (exp.In, exp.Between, exp.Is)


def _negation(node: Any) -> str:
    return "NOT " if isinstance(node.parent, exp.Not) else ""


def _is(node: Any) -> Iterable[Part]:
    return node.this, f" IS {_negation(node)}", node.expression


def _between(node: Any) -> Iterable[Part]:
    if node.args.get("symmetric") is not None:
        return ()
    return node.this, f" {_negation(node)}BETWEEN ", node.args["low"], " AND ", node.args["high"]


def _in(node: Any) -> Iterable[Part]:
    if not node.expressions:
        return ()
    return node.this, f" {_negation(node)}IN (", *_listed(node.expressions), ")"


def _case(node: Any) -> Iterable[Part]:
    subject = (" ", node.this) if node.this else ()
    default = (" ELSE ", node.args["default"]) if node.args.get("default") else ()
    return "CASE", *subject, *node.args["ifs"], *default, " END"


def _branch(node: Any) -> Iterable[Part]:
    return " WHEN ", node.this, " THEN ", node.args["true"]


def _cast(node: Any) -> Iterable[Part]:
    return f"{node.sql_name()}(", node.this, " AS ", node.to, ")"


def _type(node: Any) -> Iterable[Part]:
    return filter(None, [_TYPES.get(node.this.value)])


def _call(node: Any) -> Iterable[Part]:
    name = str(node.this).casefold()
    if name not in FUNCTIONS or (name == "replace" and not _shrinks(node.expressions)):
        return ()
    return f"{name}(", *_listed(node.expressions), ")"


def _shrinks(arguments: Sequence[exp.Expr]) -> bool:
    """Whether it cannot make text longer: nested, growing replacements fill any memory."""
    texts = [str(text.this) for text in arguments[1:] if isinstance(text, exp.Literal)]
    return len(texts) == len(arguments) - 1 == 2 and len(texts[1]) <= len(texts[0])


def _trim(node: Any) -> Iterable[Part]:
    name = {"LEADING": "ltrim(", "TRAILING": "rtrim("}.get(node.args.get("position") or "", "trim(")
    return name, *_listed([node.this, *filter(None, [node.expression])]), ")"


def _substring(node: Any) -> Iterable[Part]:
    bounds = (node.args.get("start"), node.args.get("length"))
    return "substring(", *_listed([node.this, *filter(None, bounds)]), ")"


def _listed(nodes: Sequence[exp.Expr]) -> Iterator[Part]:
    for place, node in enumerate(nodes):
        yield from (", ", node) if place else (node,)


_RULES: dict[type[exp.Expr], Callable[[Any], Iterable[Part]]] = {
    **dict.fromkeys(_SIGNS, _infix),
    **dict.fromkeys((exp.Like, exp.ILike), _pattern),
    **dict.fromkeys((exp.Cast, exp.TryCast), _cast),
    exp.Not: _not,
    exp.Is: _is,
    exp.In: _in,
    exp.Between: _between,
    exp.Neg: lambda node: ("- ", node.this),
    exp.Paren: lambda node: ("(", node.this, ")"),
    exp.Null: lambda _: ("NULL",),
    exp.Boolean: lambda node: ("TRUE" if node.this else "FALSE",),
    exp.Case: _case,
    exp.If: _branch,
    exp.DataType: _type,
    exp.Anonymous: _call,
    exp.Trim: _trim,
    exp.Substring: _substring,
}
"""The allow-list: the SQL of each class of node, nothing where this node of it is refused."""
