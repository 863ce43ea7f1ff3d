"""A population of made travellers: what they want, and which entries are critical to each.

`published` draws every entry by itself, as APEC-Travel does (3.2); `coherent` lets age, job,
style, budget, child, pets, disability, and preferred and avoided values agree. Critical are the
10 askable entries that rank highest (20 % of the 48) by traits of the person, by the one survey
factor each cares about (Table 7), and by noise. The numbers lie in `travel_population.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Literal

import numpy as np

from .schema import NO_PREFERENCE, Entry, Schema, Value, travel_schema

Mode = Literal["published", "coherent"]
MODES: tuple[Mode, ...] = ("published", "coherent")

CRITICAL = 10
"""Critical entries of a traveller: a fifth of those that may be asked about."""

STYLES: Mapping[str, tuple[int, int]] = {
    "Budget": (500, 2500),
    "Mid range cost": (1800, 6000),
    "Luxury": (4500, 10000),
}
"""Dollars that a style has for a trip, in `coherent`."""

STYLE_TRAITS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Budget": {
        "flight.preferred_cabin": ("economy", "economy", "coach", NO_PREFERENCE),
        "hotel.preferred_room_type": ("private room", "private room", "entire home", NO_PREFERENCE),
        "restaurant.preferred_dining_style": ("Casual", "Buffet", "Food truck", NO_PREFERENCE),
    },
    "Luxury": {
        "flight.preferred_cabin": ("business", "business", "business", NO_PREFERENCE),
        "hotel.preferred_room_type": ("suite", "suite", "villa", "entire home"),
        "restaurant.preferred_dining_style": ("Formal", "Formal", "Casual", NO_PREFERENCE),
    },
}


@dataclass(frozen=True)
class Person:
    """A made traveller: all its values, the factor it cares about, its critical entries."""

    profile: dict[str, Value]
    factor: str
    critical: tuple[str, ...]


def people(count: int, mode: Mode, seed: int, schema: Schema | None = None) -> list[Person]:
    """Return `count` travellers; the same seed gives the same ones."""
    schema = schema or travel_schema()
    random = Random(f"{mode} {seed}")
    return [_person(schema, mode, random) for _ in range(count)]


def _person(schema: Schema, mode: Mode, random: Random) -> Person:
    profile = {entry.name: _drawn(entry, random) for entry in schema.entries}
    if mode == "coherent":
        _agree(profile, random)
    factors = _figures()["factors"]
    factor = random.choices(list(factors), list(factors.values()))[0]
    opinion = random.randrange(len(_figures()["opinions"]))
    noise = float(_figures()["opinions"][opinion]["noise"])
    scores = importance(schema, profile, factor, opinion)
    names = [entry.name for entry in schema.askable]
    ranked = sorted(names, key=lambda name: (-(scores[name] + random.gauss(0, noise)), name))
    return Person(profile, factor, tuple(ranked[:CRITICAL]))


def importance(
    schema: Schema, profile: Mapping[str, Value], factor: str, opinion: int
) -> dict[str, float]:
    """Return how much each askable entry matters to a person, by one opinion, without noise."""
    figures = _figures()["opinions"][opinion]
    scores = {entry.name: float(figures["base"].get(entry.name, 0)) for entry in schema.askable}
    moves: list[Mapping[str, float]] = [figures["moves"][factor]]
    moves += [t["moves"] for t in figures["traits"] if profile.get(t["entry"]) in t["is"]]
    age = profile.get("persona.age")
    if isinstance(age, (int, float)) and age >= figures["old"]["from"]:
        moves.append(figures["old"]["moves"])
    for move in moves:
        for name, by in move.items():
            scores[name] += by
    return scores


def _drawn(entry: Entry, random: Random) -> Value:
    if not entry.is_number:
        return random.choice(entry.choices)
    low, high = int(entry.low or 0), int(entry.high or 0)
    return random.randrange(low, high + 1, 100 if high - low > 1000 else 1)


def _agree(profile: dict[str, Value], random: Random) -> None:
    """Make what a person wants agree with who it is."""
    _agree_on_money(profile, random)
    # One traveller in six has a disability, or travels with somebody who has.
    profile["persona.disability"] = "Yes" if random.random() < 1 / 6 else "No"
    disabled = profile["persona.disability"] == "Yes"
    for name in [name for name in profile if name.endswith("need_disability_access")]:
        profile[name] = "Yes" if disabled and random.random() < 0.9 else "No"
    if profile["persona.travel_with_child"] == "Yes":
        _not(profile, "hotel.preferred_house_rules", "No children under 10", random)
    if profile["persona.travel_with_pets"] == "Yes":
        _not(profile, "hotel.preferred_house_rules", "No pets", random)
        if random.random() < 0.8:
            profile["restaurant.pet_friendly"] = "Yes"
    for section, thing in (("flight", "airline"), ("flight", "aircraft_type"), ("hotel", "brand")):
        liked = profile[f"{section}.preferred_{thing}"]
        if liked != NO_PREFERENCE:
            _not(profile, f"{section}.avoid_{thing}", str(liked), random)


def _agree_on_money(profile: dict[str, Value], random: Random) -> None:
    if profile["persona.job"] == "student":
        profile["persona.age"] = random.randrange(18, 31)
        profile["persona.education"] = random.choice(("High school", "College"))
        profile["persona.travel_style"] = random.choice(("Budget", "Budget", "Mid range cost"))
    if profile["persona.job"] == "retiree":
        profile["persona.age"] = random.randrange(58, 71)
    style = str(profile["persona.travel_style"])
    low, high = STYLES[style]
    profile["persona.budget"] = random.randrange(low, high + 1, 100)
    for name, choices in STYLE_TRAITS.get(style, {}).items():
        profile[name] = random.choice(choices)
    for name in ("hotel.ratings", "restaurant.ratings", "attraction.ratings"):
        stars = {"Budget": (1, 2, 3, 3, 4), "Luxury": (4, 4, 5, 5, 5)}.get(style, (2, 3, 3, 4, 5))
        profile[name] = random.choice(stars)


def _not(profile: dict[str, Value], name: str, value: str, random: Random) -> None:
    """Draw an entry again where it has a value that cannot be."""
    if profile[name] == value:
        choices = travel_schema().find(name).choices
        profile[name] = random.choice([choice for choice in choices if choice != value])


@lru_cache(maxsize=1)
def _figures() -> dict[str, Any]:
    path = Path(__file__).with_name("travel_population.json")
    return json.loads(path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Particles:
    """Made travellers as arrays, to be weighed by what a real one says.

    `codes`: int16 (people, entries), the place of a value among an entry's levels; `critical`:
    bool (people, entries). Numbers have ten levels of equal width.
    """

    schema: Schema
    codes: np.ndarray[Any, np.dtype[np.int16]]
    critical: np.ndarray[Any, np.dtype[np.bool_]]

    @classmethod
    def of(cls, schema: Schema, made: Sequence[Person]) -> Particles:
        """Return people as arrays."""
        names = [entry.name for entry in schema.entries]
        codes = [[level(e, one.profile[e.name]) for e in schema.entries] for one in made]
        critical = [[name in one.critical for name in names] for one in made]
        return cls(schema, np.array(codes, np.int16), np.array(critical, np.bool_))


LEVELS = 10
"""Levels of a number with a wide range; one of few whole numbers has a level each."""


def levels(entry: Entry) -> int:
    """Return how many levels the values of an entry have."""
    return min(LEVELS, _range(entry) + 1) if entry.is_number else len(entry.choices)


def level(entry: Entry, value: Value) -> int:
    """Return the place of a value among an entry's levels."""
    if not entry.is_number:
        return entry.choices.index(str(value))
    count, above = levels(entry), float(value) - float(entry.low or 0)
    return min(count - 1, int(above * count / (_range(entry) + 1)))


def values_at(entry: Entry, place: int) -> tuple[Value, ...]:
    """Return the values that stand for a level: one, or three at even steps of a wide one."""
    if not entry.is_number:
        return (entry.choices[place],)
    width = (_range(entry) + 1) / levels(entry)
    steps = (1 / 6, 3 / 6, 5 / 6) if width >= 3 else (0.5,)
    return tuple(int(float(entry.low or 0) + (place + step) * width) for step in steps)


def _range(entry: Entry) -> int:
    return int(entry.high or 0) - int(entry.low or 0)
