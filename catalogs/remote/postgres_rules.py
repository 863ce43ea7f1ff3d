"""How each operator of the allow-list is written for Postgres; see `PostgresWriter`."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, cast

from sqlglot import exp

from ..query.predicate import Slot, literal
from ..query.schema import Schema
from ..query.sql_expression import COMPARISONS
from .letter_case import folding_of, lowered
from .postgres_functions import FUNCTIONS, trimmed
from .postgres_writer import (
    PostgresWriter,
    Rule,
    Typed,
    as_single,
    is_inexact,
    is_number,
    joined,
    postgres_type,
    written,
)
from .type_oracle import TypeOracle

Nodes = Sequence[exp.Expr]


def _truth(node: exp.Expr, *parts: str) -> Typed:
    return Typed(("(", *parts, ")"), "BOOLEAN", node)


def _connective(writer: Any, node: Any) -> Typed:
    sign, operands = (" AND " if isinstance(node, exp.And) else " OR "), list[exp.Expr]()
    pending: list[Any] = [node]
    while pending:
        each = pending.pop()
        if type(each) is type(node):
            pending += [each.expression, each.this]
        else:
            operands.append(each)
    parts = [writer.truth(operand).parts for operand in operands]
    return _truth(node, *joined(parts, sign))


def _not(writer: Any, node: Any) -> Typed:
    return _truth(node, "NOT ", *writer.truth(node.this).parts)


def _comparison(writer: Any, node: Any) -> Typed:
    (left, right), _ = writer.alike([node.this, node.expression])
    return _truth(node, *left, f" {COMPARISONS[type(node)]} ", *right)


def _null_safe(writer: Any, node: Any) -> Typed:
    (left, right), _ = writer.alike([node.this, node.expression])
    negation = "NOT " if isinstance(node, exp.NullSafeEQ) else ""
    return _truth(node, *left, f" IS {negation}DISTINCT FROM ", *right)


def _is(writer: Any, node: Any) -> Typed:
    what = node.expression
    if isinstance(what, exp.Null):
        return _truth(node, *writer.write(node.this).parts, " IS NULL")
    if not isinstance(what, exp.Boolean):
        raise writer.refused(node)
    shown = "TRUE" if what.this else "FALSE"
    return _truth(node, *writer.truth(node.this).parts, f" IS {shown}")


def _between(writer: Any, node: Any) -> Typed:
    found, _ = writer.alike([node.this, node.args["low"], node.args["high"]])
    return _truth(node, *found[0], " BETWEEN ", *found[1], " AND ", *found[2])


def _in(writer: Any, node: Any) -> Typed:
    (value, *listed), _ = writer.alike([node.this, *node.expressions])
    return _truth(node, *value, " IN (", *joined(listed, ", "), ")")


def _case(writer: Any, node: Any) -> Typed:
    kind = writer.kind(node)
    if not postgres_type(kind):
        raise writer.refused(node, f"CASE of {kind}")
    parts = ["CASE"]
    for branch in node.args["ifs"]:
        if node.this:
            (subject, value), _ = writer.alike([node.this, branch.this])
            condition = (*subject, " = ", *value)
        else:
            condition = writer.truth(branch.this).parts
        result = writer.cast(writer.write(branch.args["true"]), kind)
        parts += [" WHEN ", *condition, " THEN ", *result]
    if node.args.get("default"):
        parts += [" ELSE ", *writer.cast(writer.write(node.args["default"]), kind)]
    return Typed((*parts, " END"), kind, node)


def _arithmetic(writer: Any, node: Any) -> Typed:
    sign = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*"}[type(node)]
    kind, left, right = writer.kind(node), writer.write(node.this), writer.write(node.expression)
    if not (is_number(kind) and is_number(left.kind) and is_number(right.kind)):
        raise writer.refused(node, f"{left.kind} {sign} {right.kind}")
    return Typed(_computed(writer, (left, right), sign, kind), kind, node)


def _computed(writer: Any, sides: tuple[Typed, Typed], sign: str, kind: str) -> tuple[str, ...]:
    if kind == "FLOAT":
        # In doubles and rounded once more: the same as in singles, for each of these signs.
        wide = [_as_double(writer.cast(side, "FLOAT")) for side in sides]
        return as_single((*wide[0], f" {sign} ", *wide[1]))
    left, right = [_wide(writer, side, kind) for side in sides]
    return ("(", *left, f" {sign} ", *right, ")")


def _wide(writer: Any, side: Typed, kind: str) -> tuple[str, ...]:
    """Return an operand of a computation of a type, exact numbers in a type that is never full.

    DuckDB moves constants to the other side of a comparison, where nothing overflows.
    """
    if is_inexact(kind):
        return writer.cast(side, kind)
    is_short = kind in ("TINYINT", "SMALLINT", "INTEGER")
    return ("CAST(", *side.parts, f" AS {'BIGINT' if is_short else 'NUMERIC'})")


def _as_double(parts: tuple[str, ...]) -> tuple[str, ...]:
    return ("CAST(", *parts, " AS DOUBLE PRECISION)")


def _quotient(writer: Any, node: Any) -> Typed:
    """Return a quotient of doubles: by zero infinite, or no number, as in DuckDB."""
    kind, left, right = writer.kind(node), writer.write(node.this), writer.write(node.expression)
    if not (is_inexact(kind) and is_number(left.kind) and is_number(right.kind)):
        raise writer.refused(node, f"{left.kind} / {right.kind}")
    above = _as_double(writer.cast(left, kind))
    below = _as_double(writer.cast(right, kind))
    sign = ("CASE WHEN CAST(", *below, " AS TEXT) = '-0' THEN -1 ELSE 1 END")
    parts = (
        "(CASE WHEN ", *below, " <> 0 THEN ", *above, " / NULLIF(", *below, ", 0) WHEN ", *below,
        " = 0 THEN CAST('Infinity' AS DOUBLE PRECISION) * SIGN(", *above, ") * ", *sign, " END)",
    )  # fmt: skip
    return Typed(as_single(parts) if kind == "FLOAT" else parts, kind, node)


def _remainder(writer: Any, node: Any) -> Typed:
    kind, left, right = writer.kind(node), writer.write(node.this), writer.write(node.expression)
    exact = all(is_number(side.kind) and not is_inexact(side.kind) for side in (left, right))
    if is_inexact(kind) or not exact:
        raise writer.refused(node, f"{left.kind} % {right.kind}")
    sides = [_wide(writer, side, kind) for side in (left, right)]
    return Typed(("(", *sides[0], " % ", *sides[1], ")"), kind, node)


def _whole_quotient(writer: Any, node: Any) -> Typed:
    kind, left, right = writer.kind(node), writer.write(node.this), writer.write(node.expression)
    if kind not in ("SMALLINT", "INTEGER", "BIGINT"):
        raise writer.refused(node, f"{left.kind} // {right.kind}")
    sides = [("CAST(", *side.parts, " AS BIGINT)") for side in (left, right)]
    return Typed(("(", *sides[0], " / ", *sides[1], ")"), kind, node)


def _negative(writer: Any, node: Any) -> Typed:
    kind, value = writer.kind(node), writer.write(node.this)
    if not is_number(kind) or kind != value.kind:
        raise writer.refused(node, f"- {value.kind}")
    return Typed(("(- ", *_wide(writer, value, kind), ")"), kind, node)


def _concatenation(writer: Any, node: Any) -> Typed:
    sides = [writer.text_of(node.this).parts, writer.text_of(node.expression).parts]
    return Typed(("(", *sides[0], " || ", *sides[1], ")"), "VARCHAR", node)


def _like(writer: Any, node: Any) -> Typed:
    return _matched(writer, node, node.this, node.expression, "''")


def _escaped(writer: Any, node: Any) -> Typed:
    inner = node.this
    if not isinstance(inner, exp.Like) or not writer.write(node.expression).is_constant:
        raise writer.refused(node, "ESCAPE")
    escape = writer.write(node.expression).parts
    return _matched(writer, inner, inner.this, inner.expression, *escape)


def _matched(writer: Any, node: Any, text: Any, pattern: Any, *escape: str) -> Typed:
    value, wanted = writer.text_of(text), writer.text_of(pattern)
    sign = "NOT LIKE" if node.args.get("negate") else "LIKE"
    if isinstance(node, exp.ILike):
        if not wanted.is_constant:
            raise writer.refused(node, "ILIKE with a pattern that is no text in quotes")
        folded = lowered(str(writer.oracle.constant(writer.duckdb(wanted.node)) or ""))
        upper, lower = folding_of(folded)
        shown = (written(upper, "VARCHAR"), written(lower, "VARCHAR"))
        value = value._replace(parts=("TRANSLATE(", *value.parts, f", {shown[0]}, {shown[1]})"))
        wanted = wanted._replace(parts=(written(folded, "VARCHAR"),))
    return _truth(node, *value.parts, f" {sign} ", *wanted.parts, " ESCAPE ", *escape)


_CASTS = {
    "DOUBLE": ("SMALLINT", "INTEGER", "BIGINT"),
    "FLOAT": ("DOUBLE", "SMALLINT", "INTEGER", "BIGINT"),
    "BOOLEAN": ("INTEGER", "VARCHAR"),
    "DATE": ("TIMESTAMP", "VARCHAR"),
    "TIMESTAMP": ("DATE", "VARCHAR"),
    **dict.fromkeys(
        ("SMALLINT", "INTEGER", "BIGINT"),
        ("SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "DOUBLE", "VARCHAR"),
    ),
    "DECIMAL": ("SMALLINT", "INTEGER", "BIGINT", "DOUBLE", "VARCHAR"),
}
"""What may be cast to what: where both engines round alike and write alike."""


def _cast(writer: Any, node: Any) -> Typed:
    kind, value = writer.kind(node), writer.write(node.this)
    if value.kind == kind:
        return value._replace(node=node)
    known = _CASTS.get(value.kind.partition("(")[0], ())
    if kind not in known or isinstance(node, exp.TryCast):
        raise writer.refused(node, f"{type(node).__name__} of {value.kind} to {kind}")
    parts = ("CAST(", *value.parts, f" AS {postgres_type(kind)})")
    if kind == "VARCHAR":
        # Text that is made has the collation of the database.
        parts = ("(", *parts, ' COLLATE "C")')
    return Typed(parts, kind, node)


def _trim(writer: Any, node: Any) -> Typed:
    name = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(node.args.get("position") or "", "trim")
    return trimmed(writer, node, name, [node.this, *filter(None, [node.expression])])


def _substring(writer: Any, node: Any) -> Typed:
    bounds = filter(None, (node.args.get("start"), node.args.get("length")))
    return FUNCTIONS["substring"](writer, node, [node.this, *bounds])


def _mod(writer: Any, node: Any, arguments: Nodes) -> Typed:
    if len(arguments) != 2:
        raise writer.refused(node)
    same = exp.Mod(this=arguments[0].copy(), expression=arguments[1].copy())
    return _remainder(writer, same)._replace(node=node)


CALLED = {**FUNCTIONS, "mod": _mod}
"""The functions that Postgres is asked. `list_contains` is none: no column is a list there."""


def _call(writer: Any, node: Any) -> Typed:
    rule = CALLED.get(str(node.this).casefold())
    if rule is None:
        raise writer.refused(node)
    return rule(writer, node, cast("Nodes", node.expressions))


RULES: dict[type[exp.Expr], Rule] = {
    **dict.fromkeys(COMPARISONS, _comparison),
    **dict.fromkeys((exp.And, exp.Or), _connective),
    **dict.fromkeys((exp.NullSafeEQ, exp.NullSafeNEQ), _null_safe),
    **dict.fromkeys((exp.Add, exp.Sub, exp.Mul), _arithmetic),
    **dict.fromkeys((exp.Like, exp.ILike), _like),
    **dict.fromkeys((exp.Cast, exp.TryCast), _cast),
    exp.Not: _not,
    exp.Is: _is,
    exp.Between: _between,
    exp.In: _in,
    exp.Case: _case,
    exp.Div: _quotient,
    exp.IntDiv: _whole_quotient,
    exp.Mod: _remainder,
    exp.Neg: _negative,
    exp.DPipe: _concatenation,
    exp.Escape: _escaped,
    exp.Trim: _trim,
    exp.Substring: _substring,
    exp.Anonymous: _call,
}
"""What Postgres is asked; anything else is refused by its name."""


def postgres_parts(parts: Sequence[str | Slot], schema: Schema, oracle: TypeOracle) -> list[str]:
    """Return a condition for Postgres, in parts, columns as DuckDB quotes them.

    Raises `ParseError` that names what this engine is not asked.
    """
    text = "".join(part if isinstance(part, str) else _readable(part) for part in parts)
    return list(PostgresWriter(text, schema, oracle, RULES).condition())


def _readable(slot: Slot) -> str:
    """Return a value as text that is read back as the same value of the same type."""
    value = slot.value
    if isinstance(value, float):
        shown = repr(value)
        return shown if "e" in shown else f"{shown}e0"
    if isinstance(value, Decimal):
        shown = format(value, "f")
        return shown if "." in shown else f"{shown}."
    return literal(value)
