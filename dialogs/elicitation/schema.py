"""What can be known of a person: entries, each with the values it may take.

A schema is data. `travel_schema()` is the one of APEC-Travel (Table 6 and A.6: 54 entries, 48
of which an agent may ask about); a file of the same form describes any other, and
`conversation.catalog_schema`
derives one from a catalog.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, cast

from ...catalogs.errors import QueryError, excerpt

NO_PREFERENCE = "no preference"

Value = str | int | float
"""One of an entry's choices, or a number within its bounds."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to know. Either `choices`, or numbers from `low` to `high`.

    `name` is `section.field`; `label` is how a sentence calls it; `question` asks about it.
    """

    name: str
    label: str = ""
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    askable: bool = True
    question: str = ""

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers."""
        return not self.choices

    @property
    def section(self) -> str:
        """The part of the name before the dot; all of it where there is none."""
        return self.name.partition(".")[0]

    def _bears(self, number: float) -> bool:
        low, high = self.low, self.high
        return (low is None or number >= low) and (high is None or number <= high)

    def value_of(self, given: object) -> Value:
        """Return a value as the entry spells it. Raises `QueryError` for one it cannot take."""
        if self.is_number:
            number = _number(given)
            if number is not None and self._bears(number):
                return int(number) if number.is_integer() else number
        else:
            for choice in self.choices:
                if str(given).strip().casefold() == choice.casefold():
                    return choice
        raise QueryError(
            f"{self.name} cannot be {excerpt(str(given))}",
            hint=f"give a number from {self.low:g} to {self.high:g}"
            if self.is_number and self.low is not None and self.high is not None
            else f"give one of {', '.join(self.choices)}",
        )


@dataclass(frozen=True)
class Schema:
    """Entries in a fixed order. Raises `QueryError` for a name that stands twice."""

    name: str
    entries: tuple[Entry, ...]
    _by_name: dict[str, Entry] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_name = {entry.name: entry for entry in self.entries}
        if len(by_name) < len(self.entries):
            raise QueryError(f"the schema {self.name} names an entry twice", hint="name each once")
        object.__setattr__(self, "_by_name", by_name)

    @property
    def askable(self) -> tuple[Entry, ...]:
        """The entries that may be asked about."""
        return tuple(entry for entry in self.entries if entry.askable)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def find(self, name: str) -> Entry:
        """Return an entry by name. Raises `QueryError` with the nearest names."""
        if name not in self._by_name:
            from difflib import get_close_matches

            near = get_close_matches(name, self._by_name, 3, 0.5)
            hint = f"near it: {', '.join(near)}" if near else f"see the schema {self.name}"
            raise QueryError(f"no entry {excerpt(name)}", hint=hint)
        return self._by_name[name]

    def profile_of(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Return values as the entries spell them, in the order of the schema.

        Raises `QueryError` for an unknown entry or a value that it cannot take.
        """
        for name in given:
            self.find(name)
        return {e.name: e.value_of(given[e.name]) for e in self.entries if e.name in given}


def read_schema(text: str) -> Schema:
    """Return a schema from its JSON text. Raises `QueryError` where it is none."""
    try:
        record = cast("dict[str, Any]", json.loads(text))
        entries = tuple(_entry(entry) for entry in record["entries"])
        if not entries:
            raise ValueError("it has no entries")
        name = str(record.get("name", "schema"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise QueryError(
            f"no schema: {excerpt(str(error))}",
            hint='give {"name": …, "entries": [{"name": …, "choices": […]}, …]}',
        ) from error
    return Schema(name, entries)


def _entry(record: dict[str, Any]) -> Entry:
    """Return an entry; raise `ValueError` for choices or bounds that are none."""
    name, choices = str(record["name"]), record.get("choices", [])
    if not isinstance(choices, list):
        raise ValueError(f"the choices of {name} are no list")
    low, high = (_bound(name, record.get(side)) for side in ("low", "high"))
    if low is not None and high is not None and low > high:
        raise ValueError(f"{name} goes from {low:g} to {high:g}")
    return Entry(
        name,
        str(record.get("label", name)),
        tuple(str(choice) for choice in cast("list[object]", choices)),
        low,
        high,
        bool(record.get("askable", True)),
        str(record.get("question", "")),
    )


def _bound(name: str, given: object) -> float | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not isfinite(given):
        raise ValueError(f"a bound of {name} is {excerpt(str(given))}")
    return given


@lru_cache(maxsize=1)
def travel_schema() -> Schema:
    """Return the schema of APEC-Travel."""
    return read_schema(Path(__file__).with_name("travel.json").read_text(encoding="utf-8"))


def _number(given: object) -> float | None:
    if isinstance(given, bool):
        return None
    try:
        number = float(str(given))
    except ValueError:
        return None
    return number if number == number and abs(number) != float("inf") else None
