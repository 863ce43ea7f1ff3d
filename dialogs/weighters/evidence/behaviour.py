"""What people did, in one object: events come in, weights go out, a person is forgotten.

    behaviour = Behaviour.open(Catalog.open("cars.csv"), "id", "events.jsonl")
    behaviour.add({"id": "e1", "user": "ann", "time": …, "constraints": […], "shown": […], …})
    EvidenceWeighter(behaviour, "ann").weigh("", constraints)
    behaviour.forget("ann")

An event costs a look at the rows shown and a line of the log. A person is fitted again when next
asked for, everybody by `learn` alone, which whoever owns the object calls beside requests.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ....catalogs.errors import QueryError, UnreadableFile
from .choices import Choice, ItemLookup, Skipped, choices_of, shown_rows
from .circumstances import Context, Profile
from .events import Event, Probe, of_record, read_lines
from .implicit_factors import ImplicitFactor, implicit_factors
from .person import Person, fit_person
from .population import Population, fit
from .store import BETWEEN_LOOKS, EventStore, Retention

if TYPE_CHECKING:
    from ....catalogs.catalog import Catalog
    from ....catalogs.query.constraint import Constraint
    from ....catalogs.versions.reader import CatalogReader

FITTED_PEOPLE = 10_000
"""People whose fit is kept until they are asked for again."""

GROWTH = 1.25
"""`learn` is due once there are so many times as many events as when it ran last."""


@dataclass(frozen=True, slots=True)
class Taken:
    """An event that came in, and the choices it is."""

    event: Event
    choices: list[Choice]


class Behaviour:
    """Events of people on one catalog; safe across threads.

    `key` is the column by which events name items. Without a `store` nothing is kept on disk.
    """

    def __init__(self, catalog: CatalogReader, key: str, store: EventStore | None = None) -> None:
        catalog.schema.find(key)
        self.catalog, self.key, self.store = catalog, key, store
        self.population = Population()
        self.skipped = Skipped()
        self._lock = Lock()
        self._learning = Lock()
        self._log: dict[str, dict[str, Taken]] = {}
        self._fitted: OrderedDict[str, Person] = OrderedDict()
        self._learned_from = 0
        self.has_expired = self._has_forgotten = False
        self._learned_at = 0.0

    @classmethod
    def open(
        cls,
        catalog: Catalog,
        key: str,
        path: str | Path | None = None,
        retention: Retention | None = None,
        clock: Callable[[], float] = time.time,
    ) -> Behaviour:
        """Return what is known from a log, which is created, written on, and kept small.

        Without a path it is in memory alone, and kept as small.
        Drops an unfinished last line. Raises `UnknownColumn` for the key and `UnreadableFile`.
        """
        catalog.schema.find(key)
        file = None if path is None else Path(path)
        behaviour = cls(catalog, key, EventStore(file, retention or Retention(), clock))
        try:
            behaviour._take_in(behaviour.stored())
        except BaseException:
            behaviour.close()
            raise
        behaviour.learn()
        return behaviour

    @classmethod
    def read(cls, catalog: Catalog, key: str, path: str | Path) -> Behaviour:
        """Return what is known from a log that is only read.

        Raises `UnreadableFile`, naming the line, for one that is torn, no event, or asks for
        what the catalog does not have.
        """
        behaviour, file = cls(catalog, key), Path(path)
        lines = list(read_lines(file, Event))
        items = behaviour._items([event for _, event in lines])
        for line, event in lines:
            try:
                choices = choices_of(event, items)
            except QueryError as error:
                raise UnreadableFile(str(path), f"line {line}: {error}") from None
            behaviour._log.setdefault(event.user, {}).setdefault(event.id, Taken(event, choices))
        behaviour.learn()
        return behaviour

    def stored(self) -> Sequence[Event]:
        """Return the events that are kept."""
        with self._lock:
            self._drop_overdue()
            return () if self.store is None else self.store.events()

    def _take_in(self, events: Sequence[Event]) -> None:
        items = self._items(events)
        for event in events:
            try:
                choices = choices_of(event, items)
            except QueryError:
                # The catalog changed since: what it no longer has says nothing.
                self.skipped.columns += 1
                continue
            self._log.setdefault(event.user, {}).setdefault(event.id, Taken(event, choices))

    def _items(self, events: Iterable[Event | Probe]) -> ItemLookup:
        items = ItemLookup(self.catalog.snapshot(), self.key, self.skipped)
        items.find(key for event in events for key in event.shown)
        return items

    def add(self, event: Event | Mapping[str, Any]) -> bool:
        """Take in an event; return whether it was new, by user and id.

        Once this returns the event is in the log. Raises `QueryError` for what is no event or
        asks for what the catalog does not have, `UnreadableFile` where the log cannot be written.
        """
        if not isinstance(event, Event):
            event = of_record(Event, event)
        return self.add_all([event]) > 0

    def _add(self, event: Event, choices: list[Choice]) -> bool:
        with self._lock:
            self._drop_overdue()
            own = self._log.get(event.user, {})
            if event.id in own:
                return False
            gone = self.store.add(event) if self.store is not None else ()
            for user, identity in gone:
                self._drop(user, identity)
            self._log.setdefault(event.user, {})[event.id] = Taken(event, choices)
            self._fitted.pop(event.user, None)
        return True

    def add_all(self, events: Iterable[Event]) -> int:
        """Take in events; return how many were new. Raises what `add` raises, before any is in."""
        events = list(events)
        items = self._items(events)
        encoded = [(event, choices_of(event, items)) for event in events]
        return sum(self._add(event, choices) for event, choices in encoded)

    def _drop(self, user: str, identity: str) -> None:
        own = self._log.get(user, {})
        own.pop(identity, None)
        if not own:
            self._log.pop(user, None)
        self._fitted.pop(user, None)

    def forget(self, user: str) -> int:
        """Forget a person, in memory and on disk; return how many events that were.

        What everybody's log says is theirs, too, until it is learned again, which is due.
        """
        with self._lock:
            count = len(self._log.pop(user, {}))
            self._fitted.pop(user, None)
            if self.store is not None:
                count = max(count, self.store.forget(user))
            self._has_forgotten |= count > 0
        return count

    def expire(self) -> int:
        """Forget what is older than may be kept; return how many events that were."""
        if self.store is None:
            return 0
        with self._lock:
            gone = self.store.expire()
            for user, identity in gone:
                self._drop(user, identity)
            self.has_expired |= bool(gone)
        return len(gone)

    def _drop_overdue(self) -> None:
        """Forget what may be kept no longer; called, with the lock, before anything is served."""
        if self.store is not None and self.store.is_overdue:
            for user, identity in self.store.drop_overdue():
                self._drop(user, identity)
            self.has_expired = True

    @property
    def is_due(self) -> bool:
        """Whether so much was added that `learn` would find more, or somebody was forgotten.

        After events have expired it is due an hour after it ran last.
        """
        now = self._learned_at if self.store is None else self.store.now
        if self.has_expired and now - self._learned_at >= BETWEEN_LOOKS:
            return True
        return self._has_forgotten or self.count > GROWTH * self._learned_from

    @property
    def is_learning(self) -> bool:
        """Whether `learn` runs just now."""
        return self._learning.locked()

    @property
    def count(self) -> int:
        """How many events are known."""
        return sum(len(own) for own in list(self._log.values()))

    def learn(self) -> None:
        """Learn from everybody's events what is usual: seconds, of 20,000 choices."""
        with self._learning:
            with self._lock:
                self._drop_overdue()
                log = {user: _flat(own) for user, own in self._log.items()}
                self._learned_from = self.count
                self._has_forgotten = self.has_expired = False
                self._learned_at = 0.0 if self.store is None else self.store.now
            population = fit({user: choices for user, choices in log.items() if choices})
            with self._lock:
                self.population = population
                self._fitted.clear()

    def knows(self, user: str | None) -> bool:
        """Whether anything that a person picked is known."""
        with self._lock:
            self._drop_overdue()
            own = dict(self._log.get(user, {})) if user is not None else {}
        return any(taken.choices for taken in own.values())

    def person(self, user: str | None) -> Person:
        """Return what is known of a person; of nobody, and of None, what is usual."""
        with self._lock:
            self._drop_overdue()
            known = self._fitted.get(user or "")
            if known is not None:
                self._fitted.move_to_end(user or "")
                return known
            population = self.population
            choices = _flat(self._log.get(user, {})) if user is not None else []
        person = fit_person(choices, population)
        with self._lock:
            # An event, or everybody's, may have come in between.
            own = self._log.get(user, {}) if user is not None else {}
            if population is self.population and len(_flat(own)) == len(choices) and choices:
                self._fitted[user or ""] = person
                while len(self._fitted) > FITTED_PEOPLE:
                    self._fitted.popitem(last=False)
        return person

    def implicit(
        self,
        user: str | None,
        profile: Profile | None = None,
        context: Context | None = None,
        asked: Sequence[Constraint] = (),
    ) -> list[ImplicitFactor]:
        """Return what a person's history, profile and moment say that was not asked for.

        Raises what `implicit_factors` raises.
        """
        with self._lock:
            self._drop_overdue()
            own = self._log.get(user, {}) if user is not None else {}
            events = [taken.event for taken in own.values()]
        return implicit_factors(self.catalog, self.key, events, profile, context, asked)

    def chances(self, probe: Probe) -> list[float]:
        """Return the probability of each item shown to be clicked first; 0 where it is gone."""
        places, names, rows = shown_rows(probe, self._items([probe]))
        chances = self.person(probe.user).choice(names, rows, places)
        of_place = dict(zip(places, chances, strict=True))
        return [of_place.get(at, 0.0) for at in range(len(probe.shown))]

    def close(self) -> None:
        """Close the log, which another process may then write to."""
        if self.store is not None:
            self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _flat(own: Mapping[str, Taken]) -> list[Choice]:
    """Return a person's choices, the oldest first, whatever order they came in."""
    choices = [choice for taken in own.values() for choice in taken.choices]
    return sorted(choices, key=lambda choice: (choice.time, choice.event))
