"""Habits by column of a catalog, as constraints: usual values, usual bounds, the usual distance."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ....catalogs.query.constraint import Constraint
from .circumstances import Context, situation_of
from .habits import LEAST_SURE, Habit, Pick, bound_habits, value_habit
from .picks import distances, number_column

if TYPE_CHECKING:
    from ....catalogs.versions.reader import CatalogReader

SITUATIONAL = LEAST_SURE + 0.8
"""How sure a habit must be that shows only at this part of the day or week, or in this season:
there are three such parts to try."""

MOST_TAGS = 3
"""Habits in one column of lists."""


@dataclass(frozen=True)
class Found:
    """A habit as a constraint, with the picks that tell of it, the oldest first.

    `part` is the situation it was found in: 0 part of the day, 1 of the week, 2 season, or None.
    """

    constraint: Constraint
    habit: Habit
    picks: tuple[Pick, ...]
    part: int | None = None
    is_distance: bool = False

    @property
    def supporting(self) -> list[Pick]:
        """The picks that meet it."""
        return [pick for pick, met in zip(self.picks, self.habit.met, strict=True) if met]


def found_habits(
    catalog: CatalogReader,
    key: str | None,
    picks: Sequence[Pick],
    context: Context,
    home: tuple[float, float] | None = None,
) -> Iterator[Found]:
    """Yield the habits of somebody who picked these, column by column."""
    if not picks:
        return
    places = catalog.schema.places
    place = context.place or home
    passed = {key and catalog.schema.find(key).name, places.hours, *(places.location or ())}
    if places.location is not None and place is not None:
        yield from _distance(catalog, picks, context, place)
    for column in catalog.columns:
        if column in passed:
            continue
        kind = catalog.profile(column).kind
        if kind == "numeric":
            yield from _bounds(catalog, column, picks, context)
        elif kind in ("categorical", "boolean", "list"):
            yield from _values(column, picks, context, MOST_TAGS if kind == "list" else 1)


Find = Callable[[Sequence[Pick]], Habit | None]


def _situated(
    picks: Sequence[Pick], context: Context, find: Find
) -> tuple[Habit, Sequence[Pick], int | None] | None:
    """Return a habit of all picks, or of those in a situation like this one."""
    habit = find(picks)
    if habit is not None or context.time is None:
        return None if habit is None else (habit, picks, None)
    now = situation_of(context.time)
    for part in range(len(now)):
        alike = [pick for pick in picks if _situation(pick, context)[part] == now[part]]
        if len(alike) < len(picks):
            habit = find(alike)
            if habit is not None and habit.sure >= SITUATIONAL:
                return habit, alike, part
    return None


def _situation(pick: Pick, context: Context) -> tuple[str, str, str]:
    return context.situation(pick.time) or ("", "", "")


def _values(column: str, picks: Sequence[Pick], context: Context, most: int) -> Iterator[Found]:
    def values(row: dict[str, Any]) -> frozenset[Hashable]:
        value = row.get(column)
        if isinstance(value, list | tuple):
            return frozenset(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] a column's values
        return frozenset() if value is None else frozenset((value,))

    seen: frozenset[Hashable] = frozenset()
    for _ in range(most):
        found = _situated(picks, context, partial(value_habit, values=values, without=seen))
        if found is None:
            return
        habit, told, part = found
        op = "==" if most == 1 else "contains"
        constraint = Constraint(column=column, op=op, value=habit.value)
        yield Found(constraint, habit, tuple(told[at] for at in habit.picks), part)
        seen |= {habit.value}


def _bounds(
    catalog: CatalogReader, column: str, picks: Sequence[Pick], context: Context
) -> Iterator[Found]:
    def find(some: Sequence[Pick]) -> Habit | None:
        return bound_habits(some, [number_column(pick, column) for pick in some])

    found = _situated(picks, context, find)
    if found is not None:
        habit, told, part = found
        value = habit.value
        if catalog.schema.find(column).is_integer:
            value = tuple(map(int, habit.ends)) if habit.op == "between" else int(habit.ends[0])
        constraint = Constraint(column=column, op=habit.op, value=value)
        yield Found(constraint, habit, tuple(told[at] for at in habit.picks), part)


def _distance(
    catalog: CatalogReader, picks: Sequence[Pick], context: Context, place: tuple[float, float]
) -> Iterator[Found]:
    def find(some: Sequence[Pick]) -> Habit | None:
        return bound_habits(some, [distances(catalog, pick) for pick in some], ("<=",))

    found = _situated([pick for pick in picks if pick.point is not None], context, find)
    if found is not None:
        habit, told, part = found
        km = habit.ends[0] + 0.001
        constraint = Constraint(op="within", value=(*place, round(km, 3)))
        yield Found(constraint, habit, tuple(told[at] for at in habit.picks), part, True)
