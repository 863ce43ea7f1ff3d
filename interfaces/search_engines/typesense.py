"""Typesense: the filters of a `filter_by` text, and the text relaxed.

`&&` and `||` bind alike, from left to right, as Typesense reads them. A filter that must hold is a
constraint; an alternative of several is one expression, kept or dropped as a whole. What stays
keeps its characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Unpack

from ...catalogs.errors import QueryError, excerpt
from ...catalogs.query.constraint import Constraint
from ...engine.repair_engine import RepairEngine
from ...engine.repair_options import RepairKeywords
from .relaxing import Changes, FilterReader, NotSupported, Relaxed, bounds_of, json_value, relaxed

MAX_DEPTH = 50
_OPERATORS = re.compile(r":\s*(!=|>=|<=|=|>|<|!(?=\[)|)\s*")
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?", re.ASCII)
_RANGE = re.compile(r"\[\s*(\S+?)\s*\.\.\s*(\S+?)\s*\]")
_BARE = re.compile(r"[^\s`,:\[\]()&|<>=!*$.-][^`,\[\]()&|*]*(?<!\s)")
_OPS = {"=": "==", "!=": "!=", ">": ">", ">=": ">=", "<": "<", "<=": "<="}


def relax_typesense(
    filter_by: str,
    engine: RepairEngine,
    *,
    fields: Mapping[str, str] | None = None,
    hard: Collection[str] = (),
    weights: Mapping[str, float] | None = None,
    **options: Unpack[RepairKeywords],
) -> Relaxed[str]:
    """Return a `filter_by` text with what gives way relaxed, empty where nothing is left of it.

    `fields` says which column a field is; `hard` columns never give way, `weights` says how much
    others matter. Filters that are not understood (words in a text, places, joins) stay as they
    are and are named.

    Raises a `QueryError` for a text that is no filter, and what `RepairEngine.repair` raises.
    """
    tree = parsed(filter_by)
    reader = _Reader(engine, dict(fields or {}))
    rebuild = reader.read(tree)
    return relaxed(
        reader,
        filter_by,
        lambda changes: rebuild(changes) or "",
        hard=hard,
        weights=weights or {},
        options=dict(options),
    )


@dataclass(frozen=True)
class Filter:
    """One filter: the text it stands as."""

    text: str


@dataclass(frozen=True)
class Joined:
    """Filters joined by one operator; `text` is how they stand, in parentheses or not."""

    operator: str
    parts: tuple[Node, ...]
    text: str
    enclosed: bool = False


Node = Filter | Joined


def parsed(text: str) -> Node:
    """Return a `filter_by` text as a tree; raise `QueryError` for what is none."""
    tokens = list(_tokens(text))
    tree, rest = _joined(text, tokens, 0, 0)
    if rest < len(tokens):
        raise _bad(text, tokens[rest][1])
    return tree


def _bad(text: str, position: int) -> QueryError:
    problem = f"cannot parse filter_by {excerpt(text)} at position {position + 1}"
    return QueryError(problem, hint="write field:=value && field:<number")


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield parentheses, operators and filters, each with where it begins and ends."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text[at] in "()":
            yield text[at], at, at + 1
            at += 1
        elif text.startswith(("&&", "||"), at):
            yield text[at : at + 2], at, at + 2
            at += 2
        else:
            end = _end_of_filter(text, at)
            stripped = at + len(text[at:end].rstrip())
            yield "filter", at, stripped
            at = end


def _end_of_filter(text: str, at: int) -> int:
    """Return where a filter ends: at an operator or a parenthesis outside of its own."""
    start, depth, quoted = at, 0, False
    while at < len(text):
        each = text[at]
        if each == "`":
            quoted = not quoted
        elif not quoted and each in "([":
            depth += 1
        elif not quoted and each in ")]" and depth:
            depth -= 1
        elif not quoted and not depth and (each == ")" or text.startswith(("&&", "||"), at)):
            return at
        at += 1
    if depth or quoted:
        raise _bad(text, start)
    return at


def _joined(text: str, tokens: list[tuple[str, int, int]], at: int, depth: int) -> tuple[Node, int]:
    """Return what stands from a token on up to the end or a parenthesis, and what comes then."""
    start = tokens[at][1] if at < len(tokens) else len(text)
    left, at = _operand(text, tokens, at, depth)
    while at < len(tokens) and tokens[at][0] in ("&&", "||"):
        operator = tokens[at][0]
        right, at = _operand(text, tokens, at + 1, depth)
        whole = text[start : tokens[at - 1][2]]
        same = isinstance(left, Joined) and left.operator == operator and not left.enclosed
        parts = (*left.parts, right) if same and isinstance(left, Joined) else (left, right)
        left = Joined(operator, parts, whole)
    return left, at


def _operand(
    text: str, tokens: list[tuple[str, int, int]], at: int, depth: int
) -> tuple[Node, int]:
    if at >= len(tokens) or depth > MAX_DEPTH:
        raise _bad(text, len(text))
    kind, start, end = tokens[at]
    if kind == "filter":
        return Filter(text[start:end]), at + 1
    if kind != "(":
        raise _bad(text, start)
    inner, at = _joined(text, tokens, at + 1, depth + 1)
    if at >= len(tokens) or tokens[at][0] != ")":
        raise _bad(text, start)
    whole = text[start : tokens[at][2]]
    if isinstance(inner, Filter):
        return Joined("&&", (inner,), whole, True), at + 1
    if inner.enclosed:
        return Joined("&&", (inner,), whole, True), at + 1
    return Joined(inner.operator, inner.parts, whole, True), at + 1


def filter_of(field: str, constraint: Constraint) -> str:
    """Return a constraint on a field as a filter; raise `NotSupported` for what no filter says."""
    op, value = constraint.op, json_value(constraint)
    if op == "between":
        (_, low), (_, high) = bounds_of(constraint)
        return f"{field}:[{_plain(low)}..{_plain(high)}]"
    if op in ("in", "not in"):
        return f"{field}:{'=' if op == 'in' else '!='}[{', '.join(map(_plain, value))}]"
    for sign, each in _OPS.items():
        if each == op:
            return f"{field}:{sign}{_plain(value)}"
    raise NotSupported(f"no filter says {op!r}")


def _plain(value: Any) -> str:
    """Return a value as a filter holds it, in backticks where its characters say something."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if "`" in value:
        raise NotSupported("a backtick cannot be written")
    return value if _BARE.fullmatch(value) and ".." not in value else f"`{value}`"


class _Reader(FilterReader):
    """Takes in filters; each returns how it is written again, None where nothing is left."""

    def read(self, node: Node) -> Callable[[Changes], str | None]:
        """Take in what must hold."""
        if isinstance(node, Joined) and node.operator == "&&":
            rebuilds = [self.read(part) for part in node.parts]
            return lambda changes: _again(node, [rebuilt(changes) for rebuilt in rebuilds])
        try:
            if isinstance(node, Filter):
                field, constraint = self._test(node.text)
            else:
                field, constraint = "", self.expression(self._sql(node))
        except NotSupported as error:
            self.keep(node.text, error)
            return lambda _: node.text
        position = self.take(constraint)

        def rebuild(changes: Changes) -> str | None:
            moved = changes.get(position)
            if position not in changes:
                return node.text
            return None if moved is None else filter_of(field, moved)

        return rebuild

    def _sql(self, node: Node) -> str:
        if isinstance(node, Filter):
            return self.sql(self._test(node.text)[1])
        word = " AND " if node.operator == "&&" else " OR "
        return f"({word.join(map(self._sql, node.parts))})"

    def _test(self, text: str) -> tuple[str, Constraint]:
        """Return the field and the constraint of one filter."""
        field, _, _ = text.partition(":")
        match = _OPERATORS.match(text, len(field))
        if not match:
            raise NotSupported("no filter of a field's value")
        column, sign, value = self.column(field.strip()), match[1], text[match.end() :].strip()
        is_text = self.is_text(column)
        if value.startswith("["):
            return field.strip(), self._listed(column, sign, value, is_text=is_text)
        if not sign and is_text:
            raise NotSupported("a part of a text: `:` matches words, `:=` all of it")
        read = _value(value, is_text=is_text)
        test = self.made(column, "==" if sign in ("", "!=") else _OPS[sign], read)
        return field.strip(), self.denied(test) if sign == "!=" else test

    def _listed(self, column: str, sign: str, value: str, *, is_text: bool) -> Constraint:
        if sign not in ("", "=", "!=", "!"):
            raise NotSupported(f"a list after {sign!r}")
        if not value.endswith("]"):
            raise NotSupported("a list that does not end")
        ends = _RANGE.fullmatch(value)
        if ends and not is_text:
            test = self.made(
                column, "between", [_value(end, is_text=False) for end in ends.groups()]
            )
        elif not sign and is_text:
            raise NotSupported("parts of a text: `:` matches words, `:=` all of it")
        else:
            items = [_value(item, is_text=is_text) for item in _items(value[1:-1])]
            test = self.made(column, "in", items)
        return self.denied(test) if sign in ("!=", "!") else test


def _items(text: str) -> list[str]:
    return [item.strip() for item in re.findall(r"((?:`[^`]*`|[^,`])+)", text)]


def _value(text: str, *, is_text: bool) -> object:
    """Return a value as a column holds it; raise `NotSupported` for a pattern, or none."""
    quoted = re.fullmatch(r"`([^`]*)`", text)
    inner = quoted[1] if quoted else text
    if not inner or (not quoted and ("`" in text or text.endswith("*") or "(" in text)):
        raise NotSupported(f"{text!r} is no plain value"[:200])
    if is_text:
        return inner
    if inner in ("true", "false"):
        return inner == "true"
    if not _NUMBER.fullmatch(inner):
        raise NotSupported(f"{text!r} is no number"[:200])
    return float(inner) if re.search(r"[.eE]", inner) else int(inner)


def _again(node: Joined, parts: list[str | None]) -> str | None:
    """Return filters joined again without those of which nothing is left."""
    left = [part for part in parts if part is not None]
    if parts == [part.text for part in node.parts]:
        return node.text
    if not left:
        return None
    text = " && ".join(left)
    return f"({text})" if node.enclosed else text
