"""What simulated people did before their question, within the hour, and after it.

Before: lists of items, from each of which one is taken that meets the wishes they keep to that day.
Within the hour: what they want now was asked for, not to be had in the list, and asked for again.
After: they ask for all they want, and take what is worth most of it to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from ...catalogs.query.constraint import Constraint
from .case import Case, Record
from .items import Items
from .people import Person, Wish

SHOWN = 7
EVENTS = (14, 25)
SPAN = (12, 80)
"""Days of a history."""

SAME_TASK = 0.5
"""The share of earlier lists that were about what the question asks for."""

NOISE = 0.05
"""Standard deviation of what an item is worth to a person beside their wishes."""

AGAIN = 0.1
"""By how much less an item is worth each time it was taken before, up to five times."""


@dataclass(frozen=True)
class Histories:
    """Writes people's histories."""

    items: Items
    random: np.random.Generator

    def case(self, name: str, person: Person) -> Case:
        """Return a person's question with what they did before and after it."""
        context: Record = {"uid": name, "time": _written(person.setting.time)}
        if person.place is not None:
            context["location"] = list(person.place)
        history = (*self._earlier(person), *self._just_now(person))
        later = tuple(self._later(person))
        return Case(name, person.setting.explicit, context, history, later)

    def _earlier(self, person: Person) -> Iterator[Record]:
        count = int(self.random.integers(*EVENTS))
        days = float(self.random.uniform(*SPAN))
        taken = np.zeros(len(self.items))
        for number in range(count):
            part = (number + float(self.random.random())) / count
            time = person.setting.time - timedelta(days=0.2 + days * (1 - part))
            yield self._choice(f"e{number + 1}", time, person, taken, late=part >= 0.5)

    def _choice(
        self, name: str, time: datetime, person: Person, taken: Any, *, late: bool
    ) -> Record:
        """Return a list and what was taken from it, by the wishes kept to that day.

        `taken` float64[items] counts how often each item was taken, and is added to.
        """
        kept = [
            wish
            for wish in person.wishes
            if wish.constraint.op not in ("within", "open at")
            and self.random.random() < (wish.late if late else wish.early)
        ]
        pool = np.arange(len(self.items))
        if self.random.random() < SAME_TASK:
            pool = np.flatnonzero(self.items.met(person.setting.explicit[0]))
        worth = self._worth(kept, pool) - AGAIN * np.minimum(taken[pool], 5)
        best = int(pool[worth.argmax()])
        others = pool[pool != best]
        shown = self.random.choice(others, min(SHOWN - 1, len(others)), replace=False).tolist()
        shown.insert(int(self.random.integers(len(shown) + 1)), best)
        # The best of the list is taken, which by chance may be another.
        picked = shown[int(self._worth(kept, np.array(shown)).argmax())]
        taken[picked] += 1
        record = self._record(name, time, shown, [picked])
        return record | self._from_where(person, picked)

    def _worth(self, wishes: Sequence[Wish], places: Any) -> Any:
        worth = self.random.normal(0, NOISE, len(places))
        for wish in wishes:
            worth += wish.worth * wish.met[places]
        return worth

    def _from_where(self, person: Person, picked: int) -> Record:
        """Return the place somebody asked from: near what they took, where they want that."""
        columns = self.items.catalog.schema.places.location
        if person.place is None or columns is None:
            return {}
        near = any(
            wish.constraint.op == "within" and self.random.random() < wish.early
            for wish in person.wishes
        )
        at = picked if near else int(self.random.integers(len(self.items)))
        point = [self.items.rows[at][column] for column in columns]
        if None in point:
            return {}
        latitude, longitude = np.array(point, dtype=float) + self.random.normal(0, 0.008, 2)
        latitude = min(90.0, max(-90.0, float(latitude)))
        longitude = min(180.0, max(-180.0, float(longitude)))
        return {"place": [round(latitude, 5), round(longitude, 5)]}

    def _just_now(self, person: Person) -> Iterator[Record]:
        for number, wish in enumerate(wish for wish in person.wishes if wish.session):
            minutes = int(self.random.integers(5, 50))
            time = person.setting.time - timedelta(minutes=minutes)
            without = np.flatnonzero(person.setting.candidates & ~wish.met)
            shown = self.random.choice(without, min(SHOWN, len(without)), replace=False).tolist()
            asked = [*person.setting.explicit, wish.constraint]
            record = self._record(f"s{number + 1}", time, shown, [], asked)
            yield record | {"put_back": [len(asked) - 1]}

    def _later(self, person: Person) -> Iterator[Record]:
        candidates = np.flatnonzero(person.setting.candidates)
        worth = self._worth(person.wishes, candidates)
        ranked = candidates[np.argsort(-worth, kind="stable")]
        chosen, time = int(ranked[0]), person.setting.time
        asked = [*person.setting.explicit, *(wish.constraint for wish in person.wishes)]
        shown = self.random.permutation(ranked[:SHOWN]).tolist()
        yield self._record("a1", time + timedelta(minutes=2), shown, [chosen], asked)
        taken = self._record("a2", time + timedelta(minutes=20), [chosen], [])
        yield taken | {"bought": [self.items.name(chosen)]}

    def _record(
        self,
        name: str,
        time: datetime,
        shown: Sequence[int],
        clicked: Sequence[int],
        asked: Sequence[Constraint] = (),
    ) -> Record:
        return {
            "id": name,
            "time": _written(time),
            "constraints": [constraint.record() for constraint in asked],
            "shown": [self.items.name(place) for place in shown],
            "clicked": [self.items.name(place) for place in clicked],
        }


def _written(time: datetime) -> str:
    return f"{time:%Y-%m-%dT%H:%M:%S}"
