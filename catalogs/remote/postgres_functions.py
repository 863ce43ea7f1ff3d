"""How each function of the allow-list is written for Postgres; see `PostgresWriter`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from .letter_case import every_change
from .postgres_writer import (
    WHOLE,
    Typed,
    as_single,
    is_inexact,
    is_number,
    joined,
    postgres_type,
    written,
)

Nodes = Sequence[exp.Expr]
FunctionRule = Callable[[Any, Any, Nodes], Typed]


def _called(name: str, *parts: Sequence[str]) -> tuple[str, ...]:
    return (f"{name}(", *joined(parts, ", "), ")")


def _fixed(writer: Any, node: Any, arguments: Nodes, most: int, least: int = 1) -> list[Typed]:
    """Return the arguments as text; refuse another number of them."""
    if not least <= len(arguments) <= most:
        raise writer.refused(node)
    return [writer.text_of(argument) for argument in arguments]


def _whole_constant(writer: Any, node: Any, argument: Any, least: int) -> int:
    """Return a whole number that is written out; refuse a smaller one, or none."""
    found = writer.write(argument)
    if not found.is_constant or found.kind not in WHOLE:
        raise writer.refused(node, f"{_name(node)} with a number that is not written out")
    value = writer.oracle.constant(writer.duckdb(argument))
    if value is None or value < least:
        raise writer.refused(node, f"{_name(node)} with {value}")
    return int(value)


def _name(node: Any) -> str:
    return f"{node.name or type(node).__name__.lower()}()"


def _single_number(writer: Any, node: Any, arguments: Nodes) -> Typed:
    if len(arguments) != 1:
        raise writer.refused(node)
    found = writer.write(arguments[0])
    if not is_number(found.kind):
        raise writer.refused(node, f"{_name(node)} of {found.kind}")
    return found


def _abs(writer: Any, node: Any, arguments: Nodes) -> Typed:
    found = _single_number(writer, node, arguments)
    kind = writer.kind(node)
    parts = _called("ABS", found.parts)
    if kind in WHOLE:
        # Too large where DuckDB finds it too large.
        parts = ("CAST(", *parts, f" AS {postgres_type(kind)})")
    return Typed(parts, kind, node)


def _up_or_down(name: str) -> FunctionRule:
    def rule(writer: Any, node: Any, arguments: Nodes) -> Typed:
        found, kind = _single_number(writer, node, arguments), writer.kind(node)
        parts = found.parts
        if not found.kind.startswith("DECIMAL"):
            parts = (*_called(name, ("CAST(", *parts, " AS DOUBLE PRECISION)")),)
            if kind != "DOUBLE":
                parts = ("CAST(", *parts, f" AS {postgres_type(kind)})")
            return Typed(parts, kind, node)
        return Typed(_called(name, parts), kind, node)

    return rule


def _round(writer: Any, node: Any, arguments: Nodes) -> Typed:
    """Return the nearest number, a half away from zero; Postgres takes the even one of doubles."""
    found, kind = _single_number(writer, node, arguments[:1]), writer.kind(node)
    digits = _whole_constant(writer, node, arguments[1], 0) if len(arguments) == 2 else 0
    if len(arguments) > 2 or (len(arguments) == 2 and is_inexact(found.kind)):
        raise writer.refused(node, f"round() of {found.kind} to some digits")
    if found.kind in WHOLE and kind == found.kind:
        return found._replace(node=node)
    if found.kind.startswith("DECIMAL"):
        return Typed(_called("ROUND", found.parts, (str(digits),)), kind, node)
    if not is_inexact(found.kind):
        raise writer.refused(node, f"round() of {found.kind}")
    size = _called("ABS", ("CAST(", *found.parts, " AS DOUBLE PRECISION)"))
    whole = _called("TRUNC", size)
    nearest = ("(CASE WHEN ", *size, " - ", *whole, " >= 0.5 THEN ", *whole, " + 1 ELSE ", *whole,
               " END)")  # fmt: skip
    # Infinity less itself is no number, and not less than a half.
    finite = ("CASE WHEN ", *size, " >= 4503599627370496 THEN ", *size, " ELSE ", *nearest, " END")
    parts = ("(", "SIGN(CAST(", *found.parts, " AS DOUBLE PRECISION)) * ", *finite, ")")
    return Typed(as_single(parts) if kind == "FLOAT" else parts, kind, node)


def _sqrt(writer: Any, node: Any, arguments: Nodes) -> Typed:
    found = _single_number(writer, node, arguments)
    value = writer.cast(found, "DOUBLE")
    none = "CAST('NaN' AS DOUBLE PRECISION)"
    parts = ("(CASE WHEN ", *value, f" < 0 THEN {none} ELSE SQRT(", *value, ") END)")
    return Typed(parts, writer.kind(node), node)


def _chosen(name: str) -> FunctionRule:
    def rule(writer: Any, node: Any, arguments: Nodes) -> Typed:
        kind = writer.kind(node)
        if not postgres_type(kind):
            raise writer.refused(node, f"{_name(node)} of {kind}")
        cast = [writer.cast(writer.write(argument), kind) for argument in arguments]
        return Typed(_called(name, *cast), kind, node)

    return rule


def _nullif(writer: Any, node: Any, arguments: Nodes) -> Typed:
    if len(arguments) != 2:
        raise writer.refused(node)
    kind, first = writer.kind(node), writer.write(arguments[0])
    (left, right), _ = writer.alike(arguments)
    value = writer.cast(first, kind)
    parts = ("(CASE WHEN ", *left, " = ", *right, " THEN NULL ELSE ", *value, " END)")
    return Typed(parts, kind, node)


def _if(writer: Any, node: Any, arguments: Nodes) -> Typed:
    kind = writer.kind(node)
    if len(arguments) != 3 or not postgres_type(kind):
        raise writer.refused(node)
    condition = writer.truth(arguments[0]).parts
    then, other = (writer.cast(writer.write(each), kind) for each in arguments[1:])
    return Typed(
        ("(CASE WHEN ", *condition, " THEN ", *then, " ELSE ", *other, " END)"), kind, node
    )


def _letter_case(function: str) -> FunctionRule:
    def rule(writer: Any, node: Any, arguments: Nodes) -> Typed:
        (text,) = _fixed(writer, node, arguments, 1)
        before, after = (written(letters, "VARCHAR") for letters in every_change(function))
        # Most texts are ASCII, which needs no table of letters.
        parts = ("(CASE WHEN OCTET_LENGTH(", *text.parts, ") = LENGTH(", *text.parts,
                 f") THEN {function.upper()}(", *text.parts, ") ELSE TRANSLATE(", *text.parts,
                 f", {before}, {after}) END)")  # fmt: skip
        return Typed(parts, "VARCHAR", node)

    return rule


def _length(writer: Any, node: Any, arguments: Nodes) -> Typed:
    (text,) = _fixed(writer, node, arguments, 1)
    return Typed(("CAST(LENGTH(", *text.parts, ") AS BIGINT)"), "BIGINT", node)


def trimmed(writer: Any, node: Any, name: str, arguments: Nodes) -> Typed:
    """Return a text without some characters at its ends: blanks, or those of a second text."""
    texts = _fixed(writer, node, arguments, 2)
    called = {"trim": "BTRIM", "ltrim": "LTRIM", "rtrim": "RTRIM"}[name]
    return Typed(_called(called, *(text.parts for text in texts)), "VARCHAR", node)


def _trim(name: str) -> FunctionRule:
    return lambda writer, node, arguments: trimmed(writer, node, name, arguments)


def _substring(writer: Any, node: Any, arguments: Nodes) -> Typed:
    if not 2 <= len(arguments) <= 3:
        raise writer.refused(node)
    text = writer.text_of(arguments[0])
    bounds = [_whole_constant(writer, node, arguments[1], 1)]
    bounds += [_whole_constant(writer, node, each, 0) for each in arguments[2:]]
    return Typed(_called("SUBSTR", text.parts, *((str(b),) for b in bounds)), "VARCHAR", node)


def _side(name: str) -> FunctionRule:
    def rule(writer: Any, node: Any, arguments: Nodes) -> Typed:
        if len(arguments) != 2:
            raise writer.refused(node)
        text = writer.text_of(arguments[0])
        count = _whole_constant(writer, node, arguments[1], 0)
        return Typed(_called(name, text.parts, (str(count),)), "VARCHAR", node)

    return rule


def _replace(writer: Any, node: Any, arguments: Nodes) -> Typed:
    texts = _fixed(writer, node, arguments, 3, 3)
    return Typed(_called("REPLACE", *(text.parts for text in texts)), "VARCHAR", node)


def _concat(writer: Any, node: Any, arguments: Nodes) -> Typed:
    texts = _fixed(writer, node, arguments, 32)
    return Typed(_called("CONCAT", *(text.parts for text in texts)), "VARCHAR", node)


def _contains(writer: Any, node: Any, arguments: Nodes) -> Typed:
    texts = _fixed(writer, node, arguments, 2, 2)
    found = _called("STRPOS", *(text.parts for text in texts))
    return Typed(("(", *found, " > 0)"), "BOOLEAN", node)


def _starts(writer: Any, node: Any, arguments: Nodes) -> Typed:
    texts = _fixed(writer, node, arguments, 2, 2)
    return Typed(_called("STARTS_WITH", *(text.parts for text in texts)), "BOOLEAN", node)


def _ends(writer: Any, node: Any, arguments: Nodes) -> Typed:
    text, end = (each.parts for each in _fixed(writer, node, arguments, 2, 2))
    # Of no characters RIGHT gives none, whatever the text.
    parts = ("(RIGHT(", *text, ", LENGTH(", *end, ")) = ", *end, ")")
    return Typed(parts, "BOOLEAN", node)


def _part_of_day(name: str) -> FunctionRule:
    def rule(writer: Any, node: Any, arguments: Nodes) -> Typed:
        found = writer.write(arguments[0]) if len(arguments) == 1 else None
        if found is None or found.kind not in ("DATE", "TIMESTAMP"):
            raise writer.refused(node, f"{name}() of {found.kind if found else 'nothing'}")
        parts = (f"CAST(EXTRACT({name} FROM ", *found.parts, ") AS BIGINT)")
        return Typed(parts, "BIGINT", node)

    return rule


FUNCTIONS: dict[str, FunctionRule] = {
    "abs": _abs,
    "ceil": _up_or_down("CEIL"),
    "ceiling": _up_or_down("CEIL"),
    "floor": _up_or_down("FLOOR"),
    "round": _round,
    "sqrt": _sqrt,
    "greatest": _chosen("GREATEST"),
    "least": _chosen("LEAST"),
    "coalesce": _chosen("COALESCE"),
    "ifnull": _chosen("COALESCE"),
    "nullif": _nullif,
    "if": _if,
    "lower": _letter_case("lower"),
    "lcase": _letter_case("lower"),
    "upper": _letter_case("upper"),
    "ucase": _letter_case("upper"),
    "length": _length,
    "len": _length,
    "trim": _trim("trim"),
    "ltrim": _trim("ltrim"),
    "rtrim": _trim("rtrim"),
    "substring": _substring,
    "substr": _substring,
    "left": _side("LEFT"),
    "right": _side("RIGHT"),
    "replace": _replace,
    "concat": _concat,
    "contains": _contains,
    "starts_with": _starts,
    "ends_with": _ends,
    "year": _part_of_day("year"),
    "month": _part_of_day("month"),
    "day": _part_of_day("day"),
    "quarter": _part_of_day("quarter"),
}
"""How each is written, but for `mod`, which is an operator."""
