"""Events as choices: which item, or constraint, was picked from which, and what each one meets.

Every pick is a choice of its own, against what was not picked. A row of a choice says which
constraints the item meets, by feature: the column of a constraint, its operator where it has none.
Looking items up is one statement for all events, and a row set for each constraint.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....catalogs.query.predicate import quoted
from .events import Event, Key, Probe, named

if TYPE_CHECKING:
    from ....catalogs.query.constraint import Constraint
    from ....catalogs.versions.snapshot import Snapshot

KINDS = ("click", "buy", "dwell", "put back")
CLICK, BUY, DWELL, PUT_BACK = range(len(KINDS))
LONG_DWELL = 10.0
"""Seconds after which looking at an item says something for it."""

Features = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Choice:
    """One pick: float64[options, features] of what was to be had, and the place picked.

    `positions` int64[options] are places in the list, −1 where there was no list.
    """

    event: str
    time: float
    kind: int
    names: tuple[str, ...]
    rows: Features
    positions: NDArray[np.int64]
    picked: int


@dataclass
class Skipped:
    """What a log names and the catalog does not have: counts."""

    items: int = 0
    columns: int = 0


@dataclass
class ItemLookup:
    """The items of one version of a catalog by key, and which constraints they meet."""

    snapshot: Snapshot
    key: str
    skipped: Skipped = field(default_factory=Skipped)
    _numbers: dict[str, int] = field(default_factory=dict[str, int])
    _asked: set[str] = field(default_factory=set[str])

    def find(self, keys: Iterable[Key]) -> None:
        """Look items up, all at once; those that are not there are counted when they are met."""
        wanted = {named(key) for key in keys} - self._asked
        if not wanted:
            return
        self._asked |= wanted
        column = quoted(self.snapshot.schema.find(self.key).name)
        row_id = self.snapshot.table.row_id
        found = (
            self.snapshot.cursor()
            .execute(
                f"SELECT CAST({column} AS VARCHAR), min({row_id}) FROM {self.snapshot.rows_clause} "
                f"WHERE CAST({column} AS VARCHAR) IN (SELECT unnest(?::VARCHAR[])) GROUP BY 1",
                [sorted(wanted)],
            )
            .fetchall()
        )
        if found:
            row_ids = np.array([row_id for _, row_id in found], dtype=np.int64)
            numbers = self.snapshot.numbering.numbers(row_ids).tolist()
            self._numbers.update(zip((key for key, _ in found), numbers, strict=True))

    def present(self, keys: Sequence[Key]) -> tuple[list[int], list[int]]:
        """Return the places of the keys that are there, and their rows' numbers."""
        self.find(keys)
        found = [
            (at, self._numbers[named(key)])
            for at, key in enumerate(keys)
            if named(key) in self._numbers
        ]
        self.skipped.items += len(keys) - len(found)
        return [at for at, _ in found], [number for _, number in found]

    def met(self, constraints: Sequence[Constraint], numbers: Sequence[int]) -> Features:
        """Return float64[rows, constraints]: 1 where a row meets a constraint, else 0.

        Raises `QueryError` for a constraint that the catalog cannot ask.
        """
        rows = np.array(numbers, dtype=np.int64)
        met = np.zeros((len(rows), len(constraints)))
        for place, constraint in enumerate(constraints):
            found = self.snapshot.rows(self.snapshot.bind(constraint))
            met[:, place] = found.within(rows)
        return met


def feature_of(constraint: Constraint) -> str:
    """Return what a constraint's weight is learned for: its column, else its operator."""
    if constraint.column is not None:
        return constraint.column.casefold()
    return f"({constraint.op})" if constraint.op != "sql" else f"sql {constraint.value}"


def by_feature(
    constraints: Sequence[Constraint], met: Features
) -> tuple[tuple[str, ...], Features]:
    """Return the features and what is met of each, averaged where several constraints share one."""
    each = [feature_of(constraint) for constraint in constraints]
    names = tuple(dict.fromkeys(each))
    shares = np.array([[float(name == own) for name in names] for own in each])
    if not names:
        return names, met[:, :0]
    return names, met @ (shares / shares.sum(axis=0))


def choices_of(event: Event, items: ItemLookup) -> list[Choice]:
    """Return the choices that an event is; none where nothing was picked, or it is gone."""
    places, numbers = items.present(event.shown)
    met = items.met(event.constraints, numbers)
    names, rows = by_feature(event.constraints, met)
    picks = picked_places(event)
    chosen = [at for at, place in enumerate(places) if place in picks]
    choices: list[Choice] = []
    for at in chosen:
        options = [at, *(other for other in range(len(places)) if places[other] not in picks)]
        if len(options) > 1:
            positions = np.array([places[option] for option in options], dtype=np.int64)
            choices.append(
                Choice(event.id, event.time, picks[places[at]], names, rows[options], positions, 0)
            )
    return choices + _put_back(event, names, met)


def picked_places(event: Event) -> dict[int, int]:
    """Return the places that were picked, each with the strongest kind of pick."""
    place = {named(key): at for at, key in enumerate(event.shown)}
    picks = {place[key]: DWELL for key, seconds in event.dwell.items() if seconds >= LONG_DWELL}
    if event.clicked or event.bought:
        # Looking long at one item says little once another was taken.
        picks = {at: DWELL for at in picks if event.shown[at] in event.clicked}
    picks.update((place[named(key)], CLICK) for key in event.clicked)
    picks.update((place[named(key)], BUY) for key in event.bought)
    return picks


def _put_back(event: Event, names: Sequence[str], met: Features) -> list[Choice]:
    """Return what was asked for again as choices among the features that the top item misses."""
    features = [feature_of(constraint) for constraint in event.constraints]
    missed = {
        feature for place, feature in enumerate(features) if not len(met) or not met[0, place]
    }
    back = dict.fromkeys(features[position] for position in event.put_back)
    left = [name for name in names if name in missed and name not in back]
    choices: list[Choice] = []
    for name in back:
        options = [name, *left]
        if len(options) > 1:
            rows = np.array([[float(own == option) for own in names] for option in options])
            nowhere = np.full(len(options), -1, dtype=np.int64)
            choices.append(Choice(event.id, event.time, PUT_BACK, tuple(names), rows, nowhere, 0))
    return choices


def shown_rows(probe: Probe, items: ItemLookup) -> tuple[list[int], tuple[str, ...], Features]:
    """Return the places of a probe's items that are there, the features, and what is met."""
    places, numbers = items.present(probe.shown)
    names, rows = by_feature(probe.constraints, items.met(probe.constraints, numbers))
    return places, names, rows
