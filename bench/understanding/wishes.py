"""Constraints brought to one form, so that two ways to write the same wish are the same.

On ordered columns a constraint becomes bounds: `between` is two, "under 500" and "at most 500"
are one, `in [2, 3]` of whole numbers is a range. On columns of text and of yes and no, all
constraints of a column become the set of its values that they let through. On list cells each
value asked for is a wish, and any-of one more kind of wish.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from .column_cells import Cell, ColumnCells

APPROXIMATION = 0.2
"""How far a bound may be from a value that was only approached, as a share of it."""

FEW_DAYS = 2
"""How far a day may be from one that was only approached: "in the last week"."""

_LOW, _HIGH = (">", ">="), ("<", "<=")


@dataclass(frozen=True, slots=True)
class Stated:
    """A constraint as the scorer reads it, from gold or from a reader."""

    column: str
    op: str
    value: Any
    hard: bool | None = False
    approx: bool = False

    @property
    def values(self) -> tuple[Any, ...]:
        """The value or values."""
        is_list = isinstance(self.value, list | tuple)
        return tuple(cast("Sequence[Any]", self.value) if is_list else [self.value])


@dataclass(frozen=True, slots=True)
class Wish:
    """One thing wished of one column. `kind`: low, high, equal, near, unequal, one of, or
    allowed, has, has any, has not, present."""

    column: str
    kind: str
    value: Cell | frozenset[Cell] | None
    strict: bool = False
    hard: bool | None = False
    approx: bool = False


def wishes(stated: Iterable[Stated], columns: Mapping[str, ColumnCells]) -> list[Wish]:
    """Return the wishes of some constraints, by column in the order they come up."""
    by_column: dict[str, list[Stated]] = {}
    for constraint in stated:
        by_column.setdefault(constraint.column, []).append(constraint)
    return [
        wish
        for name, constraints in by_column.items()
        for wish in _of_column(columns.get(name), constraints)
    ]


def _of_column(column: ColumnCells | None, stated: Sequence[Stated]) -> list[Wish]:
    if column is None:
        return [Wish(part.column, "unknown column", None) for part in stated]
    if column.ordered:
        found = [wish for part in stated for wish in _bounds(column, part)]
        return list(dict.fromkeys(found))
    if column.kind == "list":
        return list(dict.fromkeys(wish for part in stated for wish in _entries(column, part)))
    return [_allowed(column, stated)]


def _bounds(column: ColumnCells, part: Stated) -> list[Wish]:
    values = tuple(column.normal(value) for value in part.values)

    def wish(kind: str, value: Any, strict: bool = False) -> Wish:
        return Wish(column.name, kind, value, strict, part.hard, part.approx)

    if part.op == "between" and len(values) == 2:
        return [wish("low", values[0]), wish("high", values[1])]
    if part.op in _LOW + _HIGH:
        kind = "low" if part.op in _LOW else "high"
        return [wish(kind, values[0], part.op in ("<", ">"))]
    if part.op in ("!=", "not in"):
        return [wish("unequal", value) for value in values]
    if part.op in ("==", "in") and len(values) == 1:
        return [wish("near" if part.approx else "equal", values[0])]
    if part.op == "in" and column.whole and _run(values):
        return [wish("low", min(values)), wish("high", max(values))]
    return [wish("present" if part.op == "is not null" else part.op, frozenset(values))]


def _run(values: tuple[Cell, ...]) -> bool:
    """Return whether the numbers follow each other without a gap."""
    if not all(isinstance(value, float) for value in values):
        return False
    ordered = sorted(float(value) for value in values)
    return ordered == [ordered[0] + step for step in range(len(ordered))]


def _entries(column: ColumnCells, part: Stated) -> list[Wish]:
    values = [column.normal(str(value).strip("%")) for value in part.values]
    if part.op == "contains any" and len(values) > 1:
        return [Wish(column.name, "has any", frozenset(values), hard=part.hard)]
    kinds = dict.fromkeys(("contains", "contains any", "contains all", "like", "ilike"), "has")
    kind = (kinds | {"!=": "has not", "not in": "has not"}).get(part.op, part.op)
    return [Wish(column.name, kind, value, hard=part.hard) for value in values]


def _allowed(column: ColumnCells, stated: Sequence[Stated]) -> Wish:
    cells = column.cells
    for part in stated:
        cells = frozenset(cell for cell in cells if _passes(column, part, str(cell)))
    hardness = {part.hard for part in stated}
    hard = True if True in hardness else None if None in hardness else False
    return Wish(column.name, "allowed", frozenset(cells), hard=hard)


def _passes(column: ColumnCells, part: Stated, cell: str) -> bool:
    values = [str(column.normal(value)) for value in part.values]
    if part.op in ("==", "in"):
        return cell in values
    if part.op in ("!=", "not in"):
        return cell not in values
    if part.op == "is not null":
        return True
    if part.op in ("contains", "contains any"):
        return any(value in cell for value in values)
    if part.op in ("like", "ilike"):
        pattern = ".*".join(re.escape(piece) for piece in values[0].split("%"))
        return re.fullmatch(pattern, cell) is not None
    return False


def same(gold: Wish, read: Wish, column: ColumnCells) -> bool:
    """Return whether a wish that was read is the gold one, `near` by a range left out."""
    if gold.column != read.column:
        return False
    if gold.kind == "near":
        return read.kind in ("equal", "near") and gold.value == read.value
    if gold.kind == "unequal" and read.kind in ("low", "high"):
        return _passing(gold, column) == _passing(read, column)
    if gold.kind != read.kind:
        return False
    if gold.kind not in ("low", "high"):
        return gold.value == read.value
    return _same_bound(gold, read, column)


def _same_bound(gold: Wish, read: Wish, column: ColumnCells) -> bool:
    if not (isinstance(gold.value, float) and isinstance(read.value, float)):
        return gold.value == read.value
    apart = abs(gold.value - read.value)
    if gold.approx:
        return apart <= (FEW_DAYS if column.kind == "date" else APPROXIMATION * abs(gold.value))
    # More than 3 is at least 4 where all are whole.
    return apart < 1e-9 or (column.whole and gold.strict != read.strict and apart == 1.0)


def _passing(wish: Wish, column: ColumnCells) -> set[Cell]:
    """Return the cells that a bound or an inequality on an ordered column lets through."""

    def passes(cell: Any) -> bool:
        if cell == wish.value:
            return wish.kind != "unequal" and not wish.strict
        return wish.kind == "unequal" or (cell > wish.value) == (wish.kind == "low")

    alike = [cell for cell in column.cells if isinstance(cell, type(wish.value))]
    return {cell for cell in alike if passes(cell)}


def surrounds(gold: Wish, low: Wish, high: Wish) -> bool:
    """Return whether two bounds stand around a value that was only approached."""
    ends = (gold.value, low.value, high.value)
    if gold.kind != "near" or not all(isinstance(end, float) for end in ends):
        return False
    at, below, above = (float(end) for end in ends if isinstance(end, float))
    slack = APPROXIMATION * abs(at)
    return at - slack <= below <= at <= above <= at + slack
