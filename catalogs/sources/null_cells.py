"""Cells that stand for no value, as somebody named them: `NA`, `missing`, `-1`.

They are NULL before a column's type is looked for, so that a column of numbers and `NA` is one of
numbers. Costs a pass over the rows for the columns that are text and of which no kind is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ..query.predicate import literal, quoted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SHAPES = {
    "BIGINT": r"\s*[+-]?\d+\s*",
    "DOUBLE": "(?s).*",
    "DATE": r"\s*\d{4}-\d\d-\d\d\s*",
    "TIMESTAMP": "(?s).*",
}
"""What cells of text may be instead, the narrowest first, and how such a cell is written: casts
round and cut what they could not hold."""

_NUMBERS = ("BIGINT", "DOUBLE")

CODE = "^[+-]?0[0-9]"
"""Codes such as 00501, which as numbers would lose the zero."""


def without_nulls(expression: str, nulls: Sequence[str], sql_type: str = "VARCHAR") -> str:
    """Return an expression that is NULL where it is one of some texts, blanks around it aside."""
    if not nulls:
        return expression
    if sql_type == "VARCHAR":
        listed, cell = ", ".join(map(literal, nulls)), f"trim({expression})"
    else:
        listed = ", ".join(f"TRY_CAST({literal(text)} AS {sql_type})" for text in nulls)
        cell = expression
    return f"CASE WHEN coalesce({cell} IN ({listed}), FALSE) THEN NULL ELSE {expression} END"


def retyped(
    connection: DuckDBPyConnection,
    clause: str,
    types: Mapping[str, str],
    nulls: Mapping[str, Sequence[str]],
) -> dict[str, str]:
    """Return what columns of text hold once their nulls are gone, of those that hold no text."""
    names = [name for name, kind in types.items() if kind == "VARCHAR"]
    if not names:
        return {}
    found = connection.execute(f"SELECT {', '.join(_tests(names, nulls))} FROM {clause}").fetchone()
    truths = iter(cast("tuple[Any, ...]", found))
    kinds = {name: [next(truths) for _ in (*_SHAPES, CODE)] for name in names}
    return {
        name: kind for name, (*tests, is_code) in kinds.items() if (kind := _kind(tests, is_code))
    }


def _kind(tests: Sequence[bool | None], is_code: bool) -> str | None:
    """Return the narrowest type that fits; None for text, and for digits that are no number."""
    fitting = [kind for kind, fits in zip(_SHAPES, tests, strict=True) if fits]
    return next((kind for kind in fitting if not is_code or kind not in _NUMBERS), None)


def _tests(names: Iterable[str], nulls: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for name in names:
        cell = without_nulls(quoted(name), nulls[name])
        for kind, shape in _SHAPES.items():
            fits = f"TRY_CAST({cell} AS {kind}) IS NOT NULL"
            written = f"regexp_full_match({cell}, {literal(shape)})"
            yield f"bool_and({fits} AND {written}) FILTER ({cell} IS NOT NULL)"
        yield f"coalesce(bool_or(regexp_matches({cell}, {literal(CODE)})), FALSE)"


def rows_without_nulls(
    rows: Iterable[Mapping[str, Any]], nulls: Mapping[str, Sequence[str]]
) -> Iterator[Mapping[str, Any]]:
    """Yield rows with None for cells that stand for no value; `nulls` are by folded names."""
    for row in rows:
        if isinstance(cast("object", row), Mapping):
            yield {
                name: None if _is_null(cell, nulls.get(str(name).casefold(), ())) else cell
                for name, cell in row.items()
            }
        else:
            # Whoever reads rows says what is wrong with it.
            yield row


def _is_null(cell: object, nulls: Sequence[str]) -> bool:
    return isinstance(cell, str) and cell.strip() in nulls
