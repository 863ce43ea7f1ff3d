"""Wishes about as many packs as something takes: `tiles for 18 square metres, 300 at most`.

A wish names one column, so what depends on how many are needed is a condition in SQL, written and
known again here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...catalogs.query.constraint import COMPARISONS, Constraint
from ...catalogs.query.predicate import quoted

_COLUMN = r'"((?:[^"]|"")+)"'
_NUMBER = r"(-?[\d.]+(?:e[+-]?\d+)?)"
_COST = re.compile(
    rf"round\(ceil\(round\({_NUMBER} / {_COLUMN}, 9\)\) \* {_COLUMN}, 2\) "
    rf"(<=|<|>=|>|=|!=) {_NUMBER}"
)
_ENOUGH = re.compile(rf"{_COLUMN} >= ceil\(round\({_NUMBER} / {_COLUMN}, 9\)\)")


@dataclass(frozen=True)
class Packs:
    """That as many as come to an amount, by what is held `per` one, compare so in a column.

    Their sum of it with a number; of no number, that there are so many of them.
    """

    amount: float
    per: str
    column: str
    op: str = ">="
    number: float | None = None

    @property
    def columns(self) -> tuple[str, str]:
        """The columns it is about."""
        return self.column, self.per


def packs_of(packs: Packs, **more: Any) -> Constraint:
    """Return the wish; `more` are further fields of it. Raises `ValueError` for what is none."""
    number = packs.number
    if packs.op not in COMPARISONS or packs.amount <= 0 or (number is None and packs.op != ">="):
        raise ValueError(f"no packs to compare: {packs.op}")
    column, per = quoted(packs.column), quoted(packs.per)
    needed = f"ceil(round({packs.amount:.15g} / {per}, 9))"
    if number is None:
        return Constraint(column=None, op="sql", value=f"{column} >= {needed}", **more)
    op = "=" if packs.op == "==" else packs.op
    text = f"round({needed} * {column}, 2) {op} {number:.15g}"
    return Constraint(column=None, op="sql", value=text, **more)


def packs_wished(wish: Constraint) -> Packs | None:
    """Return what such a wish is about; None for any other."""
    text = str(wish.value) if wish.op == "sql" else ""
    if found := _ENOUGH.fullmatch(text):
        return Packs(float(found[2]), _unquoted(found[3]), _unquoted(found[1]))
    if found := _COST.fullmatch(text):
        op = "==" if found[4] == "=" else found[4]
        return Packs(float(found[1]), _unquoted(found[2]), _unquoted(found[3]), op, float(found[5]))
    return None


def _unquoted(column: str) -> str:
    return column.replace('""', '"')
