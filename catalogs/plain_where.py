"""WHERE texts that are nothing but `column op value AND …`, read without a parser.

That is what most searches are. A parser takes more than a millisecond for seven such conditions
and leaves a tree behind that only the garbage collector takes away; this takes a tenth. Whatever
has any other shape, or might mean something else to a parser, is left to it. What is read here
becomes values: none of the text is ever run.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from .columns import Schema
from .constraint import Constraint, Scalar
from .errors import UnknownColumn

LONGEST = 2_000
"""Characters; the limits on words, nesting and operators are none for so short a text."""

_SPACE = r"[ \t\r\n]"
# No backslash, which is an escape to some; no quote inside; nothing that no database can hold.
_INSIDE = r"\\\0\ud800-\udfff"
_VALUE = rf"(?:-?\d{{1,15}}(?:\.\d{{1,15}})?|'[^'{_INSIDE}]*')"
_COLUMN = rf'(?:([A-Za-z_][A-Za-z0-9_]*)|"([^"{_INSIDE}]+)")'
_CONDITION = re.compile(
    rf"{_SPACE}*{_COLUMN}"
    rf"(?:{_SPACE}*(==|=|<>|!=|<=|>=|<|>){_SPACE}*({_VALUE})"
    rf"|{_SPACE}+BETWEEN{_SPACE}+({_VALUE}){_SPACE}+AND{_SPACE}+({_VALUE})"
    rf"|{_SPACE}+IN{_SPACE}*\(({_SPACE}*{_VALUE}{_SPACE}*(?:,{_SPACE}*{_VALUE}{_SPACE}*)*)\))"
    rf"(?:{_SPACE}+AND(?={_SPACE})|{_SPACE}*\Z)",
    re.IGNORECASE | re.ASCII,
)
_LISTED = re.compile(_VALUE, re.ASCII)
_OPERATORS = {"=": "==", "<>": "!="}


def read_plain(text: str, schema: Schema | None) -> tuple[Constraint, ...] | None:
    """Return the constraints of a text of plain conditions; None for any other text.

    None also where a column is not there: whoever reads the text next knows what to say.
    """
    if len(text) > LONGEST:
        return None
    found: list[Constraint] = []
    place = 0
    while place < len(text):
        condition = _CONDITION.match(text, place)
        if condition is None:
            return None
        bare, quoted, *told = condition.groups()
        if bare is not None and bare.upper() in _reserved():
            return None
        try:
            column = schema.find(bare or quoted).name if schema else bare or quoted
        except UnknownColumn:
            return None
        op, value = _told(*told)
        found.append(Constraint(column=column, op=op, value=value))
        place = condition.end()
    return tuple(found) or None


def _told(
    op: str | None, value: str, low: str | None, high: str, listed: str
) -> tuple[str, Scalar | tuple[Scalar, ...]]:
    """Return the operator and the value that a condition states."""
    if op is not None:
        return _OPERATORS.get(op, op), _scalar(value)
    if low is not None:
        return "between", (_scalar(low), _scalar(high))
    return "in", tuple(map(_scalar, _LISTED.findall(listed)))


def _scalar(text: str) -> Scalar:
    if text[0] == "'":
        return text[1:-1]
    return float(text) if "." in text else int(text)


@cache
def _reserved() -> frozenset[str]:
    """Return the words that a parser may take for something else than a column."""
    from sqlglot.dialects.duckdb import DuckDB

    parser: Any = DuckDB.Parser
    keywords = (key.split()[0] for key in DuckDB.Tokenizer.KEYWORDS if key.strip())
    return frozenset([*keywords, *parser.NO_PAREN_FUNCTION_PARSERS])
