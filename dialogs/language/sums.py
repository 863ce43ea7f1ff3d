"""Wishes about the sum of several columns: `rent and utilities at most 850`.

A wish names one column, so a sum is a condition in SQL, written and known again here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from ...catalogs.query.constraint import COMPARISONS, Constraint
from ...catalogs.query.predicate import quoted

_COLUMN = r'"(?:[^"]|"")+"'
_SUM = re.compile(rf"({_COLUMN}(?: \+ {_COLUMN})+) (<=|<|>=|>|=|!=) (-?[\d.]+(?:e[+-]?\d+)?)")


def sum_of(columns: Iterable[str], op: str, number: float, *, hard: bool = False) -> Constraint:
    """Return the wish that some columns together compare so with a number.

    Raises `ValueError` for fewer than two columns, and an operator that compares no numbers.
    """
    names = dict.fromkeys(columns)
    if op not in COMPARISONS or len(names) < 2:
        raise ValueError(f"no sum to compare: {op}")
    text = f"{' + '.join(map(quoted, names))} {'=' if op == '==' else op} {number:.15g}"
    more: dict[str, Any] = {"hard": True} if hard else {}
    return Constraint(column=None, op="sql", value=text, **more)


def summed(wish: Constraint) -> tuple[tuple[str, ...], str, float] | None:
    """Return the columns, the operator and the number of such a wish; None for any other."""
    found = _SUM.fullmatch(str(wish.value)) if wish.op == "sql" else None
    if found is None:
        return None
    columns = tuple(name[1:-1].replace('""', '"') for name in re.findall(_COLUMN, found[1]))
    return columns, "==" if found[2] == "=" else found[2], float(found[3])


def concerns(wish: Constraint, columns: Collection[str]) -> bool:
    """Return whether a wish is about one of some columns, or about the sum of some of them."""
    total = summed(wish)
    return wish.column in columns if total is None else set(total[0]) <= set(columns)


def topic_of(wish: Constraint) -> str:
    """Return what a wish is about: its column; a sum, and from which side; else its operator."""
    if wish.column is not None:
        return wish.column
    total = summed(wish)
    return f"op {wish.op}" if total is None else f"sum {' + '.join(total[0])} {total[1][:1]}"
