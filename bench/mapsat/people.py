"""Simulated people: what each wants, what they did before the question, and what after it.

A person has wishes, each kept to at some rate that may rise or fade over their history. Before the
question they choose from lists, item by item, what meets the wishes they keep to that day; what
they are after now they may have put back within the hour. Then they ask for one thing only.
Afterwards they ask for the rest, and take the item that meets most of it, by what the wishes are
worth to them now.

Of those who are sought, no item meets everything: one meets a wish that is kept to more and more,
others meet two that fade, so that whoever counts wishes offers the wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.places import measure_of
from .items import Items, Truths
from .wishes import ALIKE, Wishes, overlap, subject

TRIES = 60
FIRST_DAY = datetime(2026, 3, 2)
DAYS = 90

LEAST_SLICE = 6
LEAST_OPEN = 2
SLICE = (0.05, 0.6)
"""The share of items that meets what is asked."""

RISING, STEADY, FADING, NEVER = (0.85, 1.0), (0.7, 0.7), (0.75, 0.35), (0.0, 0.0)
"""Rates at which people kept to a wish, in the first half of their history and in the second."""

JUST_NOW = 0.4
"""The share of strong wishes that came up within the hour."""

MOST_MEETING = 0.7
"""The share of the items to be had that may meet a wish: more, and it tells nothing."""

NEAR = 0.5
"""The share of people with a place who want something near."""

WORTH_SEEKING = 0.08
"""How far counting wishes must fall behind weighing them, in what a person wants."""


@dataclass(frozen=True)
class Wish:
    """What somebody wants, and the rates at which they kept to it long ago and of late.

    `session`: it was put back within the hour. `met` says which items meet it.
    """

    constraint: Constraint
    early: float
    late: float
    met: Truths
    session: bool = False

    @property
    def worth(self) -> float:
        """What it is worth now."""
        return 1.2 if self.session else (self.early + 2 * self.late) / 3


@dataclass(frozen=True)
class Setting:
    """A question: what it asks for, which items are to be had then, and when."""

    explicit: Constraint
    candidates: Truths
    time: datetime
    hours: tuple[Wish, ...] = ()


@dataclass(frozen=True)
class Person:
    """Somebody with a question, the place they ask from, and all they want."""

    setting: Setting
    place: tuple[float, float] | None
    wishes: tuple[Wish, ...]


@dataclass(frozen=True)
class Crowd:
    """Draws people of a catalog, who want what its items have."""

    items: Items
    wishes: Wishes
    random: np.random.Generator

    def person(self, sought: bool) -> Person | None:
        """Return somebody; None where no such person was found in some tries."""
        for _ in range(TRIES):
            setting = self._setting()
            if setting is None:
                return None
            drawn = self._rivals(setting) if sought else self._alone(setting)
            if drawn is not None:
                return self._placed(setting, *drawn)
        return None

    def _setting(self) -> Setting | None:
        """Return a question: a value that many items have, else a bound; None without either."""
        least = max(LEAST_SLICE, SLICE[0] * len(self.items))
        fit = [
            (constraint, met)
            for constraint, met in self.wishes.everything()
            if least <= met.sum() <= SLICE[1] * len(self.items)
        ]
        pool = [pair for pair in fit if pair[0].op == "=="] or fit
        if not pool:
            return None
        explicit, candidates = pool[self.random.integers(len(pool))]
        day, quarter = int(self.random.integers(DAYS)), int(self.random.integers(26, 92))
        time = FIRST_DAY + timedelta(days=DAYS + day, minutes=15 * quarter)
        if self.items.catalog.schema.places.hours is not None:
            now = Constraint(op="open at", value=f"{time:%Y-%m-%d %H:%M}")
            met = self.items.met(now)
            if (candidates & met).sum() >= LEAST_OPEN:
                return Setting(explicit, candidates, time, (Wish(now, 1.0, 1.0, met),))
        return Setting(explicit, candidates, time)

    def _rivals(self, setting: Setting) -> tuple[int, tuple[Wish, ...]] | None:
        """Return somebody whose one strong wish stands against two that fade."""
        among = np.flatnonzero(setting.candidates)
        best, other = self.random.choice(among, 2, replace=False).tolist()
        strong = self._strong(setting, best, other)
        if strong is None:
            return None
        wishes = [strong]
        for _ in range(2):
            weak = self._wish(setting, other, wishes, FADING, best)
            if weak is None or not self._goes_together(setting, strong, weak):
                return None
            wishes.append(weak)
        common = self._wish(setting, best, wishes, STEADY)
        if common is not None and self.random.random() < 0.5:
            wishes.append(common)
        return (best, tuple(wishes)) if self._counting_misleads(setting, wishes) else None

    def _strong(self, setting: Setting, best: int, other: int) -> Wish | None:
        """Return a wish that one item meets: put back just now, or kept to more and more.

        Where the other item is closed now, that is what stands against it.
        """
        for hours in setting.hours:
            if hours.met[best] and not hours.met[other]:
                return hours
        if self.random.random() < JUST_NOW:
            wish = self._wish(setting, best, [], NEVER, other)
            return None if wish is None else replace(wish, session=True)
        return self._wish(setting, best, [], RISING, other)

    def _goes_together(self, setting: Setting, strong: Wish, weak: Wish) -> bool:
        """Return whether a history could have kept to both: some items, not to be had, meet both."""
        return strong.early == 0 or strong.constraint.op == "open at" or (strong.met & weak.met).sum() >= 2

    def _counting_misleads(self, setting: Setting, wishes: Sequence[Wish]) -> bool:
        """Return whether the items that meet most wishes are all worth less than the best."""
        worth = np.zeros(len(self.items))
        count = np.zeros(len(self.items))
        for wish in _with(wishes, setting.hours):
            worth += wish.worth * wish.met
            count += wish.met
        among = setting.candidates
        most = among & (count == count[among].max())
        behind = worth[among].max() - worth[most].max()
        return bool(behind >= WORTH_SEEKING * sum(wish.worth for wish in wishes))

    def _alone(self, setting: Setting) -> tuple[int, tuple[Wish, ...]] | None:
        """Return somebody whose wishes one item meets, which is open."""
        fit = setting.candidates.copy()
        for hours in setting.hours:
            fit &= hours.met
        best = int(self.random.choice(np.flatnonzero(fit)))
        wishes: list[Wish] = []
        for _ in range(int(self.random.integers(2, 5))):
            early, late = self.random.uniform(0.6, 1.0, 2).tolist()
            drawn = self._wish(setting, best, wishes, (early, late))
            wishes += [] if drawn is None else [drawn]
        if not wishes:
            return None
        if self.random.random() < 0.3:
            wishes[0] = replace(wishes[0], session=True)
        return best, tuple(wishes)

    def _wish(
        self,
        setting: Setting,
        place: int,
        wishes: Sequence[Wish],
        rates: tuple[float, float],
        without: int | None = None,
    ) -> Wish | None:
        """Return a wish that an item meets, another does not, and that is like no other wish."""
        known = {subject(each.constraint) for each in wishes} | {subject(setting.explicit)}
        count = setting.candidates.sum()
        fit = [
            (constraint, met)
            for constraint, met in self.wishes.of(place)
            if subject(constraint) not in known
            and (without is None or not met[without])
            and (met & setting.candidates).sum() <= MOST_MEETING * count
            and all(overlap(met, wish.met) < ALIKE for wish in wishes)
        ]
        if not fit:
            return None
        constraint, met = fit[self.random.integers(len(fit))]
        return Wish(constraint, *rates, met)

    def _placed(self, setting: Setting, best: int, wishes: tuple[Wish, ...]) -> Person:
        """Return a person near an item they may take, half of whom want something near."""
        columns = self.items.catalog.schema.places.location
        point = [self.items.rows[best][column] for column in columns or ()]
        if not point or None in point:
            return Person(setting, None, _with(wishes, setting.hours))
        latitude, longitude = np.array(point, dtype=float) + self.random.normal(0, 0.008, 2)
        place = (round(float(np.clip(latitude, -90, 90)), 5), round(float(longitude), 5))
        measure = measure_of("within", [*place, 1.0], self.items.catalog.schema.places)
        km = measure.of_row(self.items.rows[best])
        if self.random.random() < NEAR and np.isfinite(km):
            reach = Constraint(op="within", value=[*place, round(km * 1.2 + 0.3, 1)])
            wishes = (*wishes, Wish(reach, 0.9, 0.9, self.items.met(reach)))
        return Person(setting, place, _with(wishes, setting.hours))


def _with(wishes: Sequence[Wish], hours: Sequence[Wish]) -> tuple[Wish, ...]:
    """Return the wishes and those for hours, each once."""
    return (*wishes, *(each for each in hours if all(each is not wish for wish in wishes)))
