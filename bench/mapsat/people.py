"""Simulated people: what each wants, what they did before the question, and what after it.

A person has wishes, each kept to at some rate that may rise or fade over their history. Before the
question they choose from lists, item by item, what meets the wishes they keep to that day; what
they are after now they may have put back within the hour. Then they ask for one thing only.
Afterwards they ask for the rest, and take the item that meets most of it, by what the wishes are
worth to them now.

Of those who are sought, no item meets everything: one meets a wish that is kept to more and more,
others meet one or two that fade, so that whoever counts wishes may offer the wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.places import measure_of
from .items import Items, Truths
from .wishes import ALIKE, LEAST_ITEMS, Wishes, overlap, subject

TRIES = 100
FIRST_DAY = datetime(2026, 3, 2)
DAYS = 90

LEAST_SLICE = 6
LEAST_OPEN = 2
FEW, MOST_EXPLICIT = 15, 3
"""As many items are few, among which people hardly find everything; what is asked at most."""

SLICE = (0.05, 0.6)
"""The share of items that meets what is asked."""

RISING, FADING, NEVER = (0.85, 1.0), (0.75, 0.35), (0.0, 0.0)
FADING_BOUND = (1.0, 0.75)
"""Rates at which people kept to a wish, in the first half of their history and in the second."""

JUST_NOW, HOURS = 0.5, 0.3
"""The shares of strong wishes that came up within the hour, and that are for what is open."""

RIVALS = 3
"""Wishes, at most, of somebody who cannot have everything."""

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

    explicit: tuple[Constraint, ...]
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
            setting = self._setting(sought)
            if setting is None:
                return None
            drawn = self._rivals(setting) if sought else self._alone(setting)
            if drawn is not None:
                return self._placed(setting, *drawn)
        return None

    def _setting(self, sought: bool) -> Setting | None:
        """Return a question: values that many items have, else bounds; None without any.

        Where people are sought who cannot have everything, so much that few items are left.
        """
        least = max(LEAST_SLICE, SLICE[0] * len(self.items))
        fit = [
            (constraint, met)
            for constraint, met in self.wishes.everything()
            if least <= met.sum() <= SLICE[1] * len(self.items)
        ]
        pool = [pair for pair in fit if pair[0].op == "=="] or fit
        if not pool:
            return None
        constraint, candidates = pool[self.random.integers(len(pool))]
        explicit = [constraint]
        most = min(MOST_EXPLICIT, len(self.wishes.subjects) - RIVALS)
        while sought and candidates.sum() > FEW and len(explicit) < most:
            more = self._narrower(explicit, candidates)
            if more is None:
                break
            explicit.append(more[0])
            candidates = candidates & more[1]
        time, hours = self._time(candidates)
        return Setting(tuple(explicit), candidates, time, hours)

    def _narrower(
        self, explicit: Sequence[Constraint], candidates: Truths
    ) -> tuple[Constraint, Truths] | None:
        """Return something else to ask for, that leaves some of the items."""
        known = {subject(constraint) for constraint in explicit}
        some = int(self.random.choice(np.flatnonzero(candidates)))
        fit = [
            (constraint, met)
            for constraint, met in self.wishes.of(some)
            if subject(constraint) not in known
            and LEAST_SLICE <= (candidates & met).sum() < candidates.sum()
        ]
        return fit[self.random.integers(len(fit))] if fit else None

    def _time(self, candidates: Truths) -> tuple[datetime, tuple[Wish, ...]]:
        """Return when it is asked, and the wish for what is open then, where some are."""
        day, quarter = int(self.random.integers(DAYS)), int(self.random.integers(26, 92))
        time = FIRST_DAY + timedelta(days=DAYS + day, minutes=15 * quarter)
        if self.items.catalog.schema.places.hours is None:
            return time, ()
        now = Constraint(op="open at", value=f"{time:%Y-%m-%d %H:%M}")
        met = self.items.met(now)
        if (candidates & met).sum() < LEAST_OPEN:
            return time, ()
        return time, (Wish(now, 1.0, 1.0, met),)

    def _rivals(self, setting: Setting) -> tuple[int, tuple[Wish, ...]] | None:
        """Return somebody whose strong wish stands against others that fade, and what they want.

        Wishes are drawn until they do.
        """
        known = {subject(constraint) for constraint in setting.explicit}
        fit = [
            (constraint, met)
            for constraint, met in self.wishes.everything()
            if subject(constraint) not in known
            and 0 < (met & setting.candidates).sum() <= MOST_MEETING * setting.candidates.sum()
        ]
        for _ in range(TRIES if len(fit) >= RIVALS else 0):
            count = int(self.random.integers(2, RIVALS + 1))
            places: list[int] = self.random.choice(len(fit), count, replace=False).tolist()
            drawn = [fit[at] for at in places]
            if len({subject(constraint) for constraint, _ in drawn}) < count:
                continue
            wishes = [self._strong(setting, *drawn[0])]
            wishes += [Wish(constraint, *_fading(constraint), met) for constraint, met in drawn[1:]]
            best = self._misled(setting, wishes)
            if best is not None and all(_go_together(wishes[0], weak) for weak in wishes[1:]):
                return best, tuple(wishes)
        return None

    def _strong(self, setting: Setting, constraint: Constraint, met: Truths) -> Wish:
        """Return a wish put back just now, or kept to more and more; at times that for hours."""
        if setting.hours and self.random.random() < HOURS:
            return setting.hours[0]
        if self.random.random() < JUST_NOW:
            return Wish(constraint, *NEVER, met, session=True)
        return Wish(constraint, *RISING, met)

    def _misled(self, setting: Setting, wishes: Sequence[Wish]) -> int | None:
        """Return the item worth most, if one that meets most wishes is worth less; else None."""
        among = np.flatnonzero(setting.candidates)
        worth, count = np.zeros(len(among)), np.zeros(len(among))
        wanted = _with(wishes, setting.hours)
        for wish in wanted:
            worth += wish.worth * wish.met[among]
            count += wish.met[among]
        behind = worth.max() - worth[count == count.max()].min()
        total = sum(wish.worth for wish in wanted)
        return int(among[worth.argmax()]) if behind >= WORTH_SEEKING * total else None

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
    ) -> Wish | None:
        """Return a wish that an item meets, and that is like no other wish."""
        known = {subject(each.constraint) for each in wishes}
        known |= {subject(constraint) for constraint in setting.explicit}
        count = setting.candidates.sum()
        fit = [
            (constraint, met)
            for constraint, met in self.wishes.of(place)
            if subject(constraint) not in known
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
            reach = Constraint(op="within", value=(*place, round(km * 1.2 + 0.3, 1)))
            wishes = (*wishes, Wish(reach, 0.9, 0.9, self.items.met(reach)))
        return Person(setting, place, _with(wishes, setting.hours))


def _fading(constraint: Constraint) -> tuple[float, float]:
    """Return rates that fade; a bound shows in a history only if it was kept to mostly."""
    return FADING if constraint.op == "==" else FADING_BOUND


def _go_together(strong: Wish, weak: Wish) -> bool:
    """Return whether a history could have kept to both: some items meet both, to be had or not."""
    in_history = strong.early > 0 and strong.constraint.op != "open at"
    return not in_history or int((strong.met & weak.met).sum()) >= LEAST_ITEMS


def _with(wishes: Sequence[Wish], hours: Sequence[Wish]) -> tuple[Wish, ...]:
    """Return the wishes and those for hours, each once."""
    return (*wishes, *(each for each in hours if all(each is not wish for wish in wishes)))
