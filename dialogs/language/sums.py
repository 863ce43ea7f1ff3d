"""Wishes about a sum of several columns: `rent and utilities at most 850`, `six rents and a fee`.

A wish names one column, so a sum is a condition in SQL, written and known again here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from ...catalogs.query.constraint import COMPARISONS, Constraint
from ...catalogs.query.predicate import quoted
from .either import alternatives
from .packs import packs_wished

_COLUMN = r'"(?:[^"]|"")+"'
_NUMBER = r"-?[\d.]+(?:e[+-]?\d+)?"
_TERM = rf"({_COLUMN})(?: \* ({_NUMBER}))?"
_SUM = re.compile(
    rf"round\(({_COLUMN}(?: \* {_NUMBER})?(?: \+ {_COLUMN}(?: \* {_NUMBER})?)*), 2\) "
    rf"(<=|<|>=|>|=|!=) ({_NUMBER})"
)

Terms = Mapping[str, float]
"""Columns, and how many times each counts."""


class Total(NamedTuple):
    """That some columns, so many times each, together compare so with a number."""

    terms: Terms
    op: str
    number: float


def is_total(terms: Terms) -> bool:
    """Return whether it is more than the number of a column."""
    return len(terms) > 1 or any(times != 1 for times in terms.values())


def added_up(parts: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return how many times each column counts that may be given several times."""
    terms: dict[str, float] = {}
    for name, times in parts:
        terms[name] = terms.get(name, 0.0) + times
    return terms


def sum_of(terms: Terms, op: str, number: float, **more: Any) -> Constraint:
    """Return the wish that some columns together compare so with a number.

    `more` are further fields of it. Raises `ValueError` for what is no sum, and an operator that
    compares no numbers.
    """
    if op not in COMPARISONS or not is_total(terms):
        raise ValueError(f"no sum to compare: {op}")
    parts = (quoted(n) if t == 1 else f"{quoted(n)} * {t:.15g}" for n, t in terms.items())
    # As sums are told: of cents, and not of what a double makes of them.
    text = f"round({' + '.join(parts)}, 2) {'=' if op == '==' else op} {number:.15g}"
    return Constraint(column=None, op="sql", value=text, **more)


def summed(wish: Constraint) -> Total | None:
    """Return the columns, the operator and the number of such a wish; None for any other."""
    found = _SUM.fullmatch(str(wish.value)) if wish.op == "sql" else None
    if found is None:
        return None
    parts = re.findall(_TERM, found[1])
    terms = {name[1:-1].replace('""', '"'): float(times or 1) for name, times in parts}
    op = "==" if found[2] == "=" else found[2]
    return Total(terms, op, float(found[3])) if is_total(terms) else None


def concerns(wish: Constraint, columns: Collection[str]) -> bool:
    """Return whether a wish is about one of some columns, or about the sum of some of them.

    Where one of several columns may meet it, whether it is about one of these.
    """
    if ways := alternatives(wish):
        return any(way.column in columns for way in ways)
    if packs := packs_wished(wish):
        return packs.column in columns
    total = summed(wish)
    return wish.column in columns if total is None else {*total.terms} <= {*columns}


def topic_of(wish: Constraint) -> str:
    """Return what a wish is about: its column or columns; a sum, and from which side.

    Else its operator.
    """
    if wish.column is not None:
        return wish.column
    if ways := alternatives(wish):
        return f"either {' or '.join(sorted({str(way.column) for way in ways}))}"
    if packs := packs_wished(wish):
        return f"packs {packs.column} by {packs.per} {packs.op[:1]}"
    total = summed(wish)
    return f"op {wish.op}" if total is None else f"sum {' + '.join(total.terms)} {total.op[:1]}"
