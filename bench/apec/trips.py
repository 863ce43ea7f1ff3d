"""Choosing a stay for a trip: ask what can change the choice, repair, take the best row.

Wishes on stays (10 of the system's own rules, since APEC-Travel stops before choosing): room
type; `house_rules` contains the rule; child and pets are hard, their ban must be absent (NULL
passes); rating at least; price at most 0.4 · budget / nights. A critical wish met is worth 1,
any other 0.3.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import numpy as np

from ...catalogs.catalog import Catalog
from ...catalogs.errors import QueryError, UnreadableFile, excerpt
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...dialogs.elicitation.agents import Planner, Stenographer, Traveller
from ...dialogs.elicitation.binding import Binding, bind_profile
from ...dialogs.elicitation.choice_planner import ChoicePlanner, TogetherPlanner
from ...dialogs.elicitation.conversation import Elicitation, elicit
from ...dialogs.elicitation.priors import Prior
from ...dialogs.elicitation.profile import Profile
from ...dialogs.elicitation.schema import Schema
from ...engine.repair_engine import RepairEngine
from ..json_lines import read_records

CITY = "city"

RESTAURANTS = Path(__file__).with_name("restaurants.json")

MAX_NIGHTS = 365

BUDGET, MEALS = "persona.budget", 2
"""The entry that pays for stay and meals, and meals a day."""


@dataclass(frozen=True, slots=True)
class Trip:
    """Who travels, to which city, for how many nights (1 to `MAX_NIGHTS`)."""

    traveller: str
    city: str
    nights: int


@dataclass(frozen=True)
class Stay:
    """The stay chosen: its row's first column; None where no stay may be taken.

    `relaxed`: the entries whose wish gave way; `lacking`: those the catalog cannot tell;
    `utility`: what the stay is expected to be worth by what is known; `price`: a night's.
    """

    number: Any
    relaxed: tuple[str, ...]
    lacking: tuple[str, ...]
    utility: float
    price: float | None = None


def read_trips(path: str | Path) -> list[Trip]:
    """Return the trips of a JSON-lines file; raise `UnreadableFile` naming a bad line."""
    return list(read_records(path, _trip))


def _trip(record: object) -> Trip:
    fields = cast("dict[str, object]", record) if isinstance(record, dict) else {}
    nights = fields.get("nights")
    if isinstance(nights, bool) or not isinstance(nights, int) or not 1 <= nights <= MAX_NIGHTS:
        raise QueryError(f"nights is {excerpt(str(nights))}", hint=f"give 1 to {MAX_NIGHTS}")
    names = [fields.get(name) for name in ("traveller", "city")]
    if not all(isinstance(name, str) for name in names):
        raise QueryError("no traveller or no city", hint="give both as texts")
    return Trip(str(names[0]), str(names[1]), nights)


def stay_bindings(nights: int) -> list[Binding]:
    """Return how entries become constraints on stays, for a trip of so many nights."""
    return read_bindings(Path(__file__).with_name("stays.json"), nights)


def read_bindings(path: Path, nights: int) -> list[Binding]:
    """Return the bindings of a file; `share` of a budget is spread over the nights."""
    try:
        records = cast("list[dict[str, Any]]", json.loads(path.read_text(encoding="utf-8")))
        return [_binding(record, nights) for record in records]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnreadableFile(str(path), f"no bindings: {excerpt(str(error))}") from error


def _binding(record: Mapping[str, Any], nights: int) -> Binding:
    scale = float(record["share"]) / nights if "share" in record else 1.0
    silent = tuple(record["silent"]) if "silent" in record else Binding.silent
    return Binding(
        record["entry"],
        record["column"],
        record["op"],
        record.get("values"),
        silent,
        bool(record.get("hard", False)),
        scale,
    )


@dataclass(frozen=True)
class StayFinder:
    """Finds stays in one catalog, for travellers of whom `prior` has expectations."""

    catalog: Catalog
    schema: Schema
    prior: Prior

    def planner(self, trip: Trip) -> ChoicePlanner:
        """Return the planner that asks what can change the choice for a trip."""
        return ChoicePlanner(self.catalog, [self._in(trip)], stay_bindings(trip.nights), self.prior)

    def planner_with(self, trip: Trip, restaurants: Catalog) -> TogetherPlanner:
        """Return the planner that asks what can change the stay or the restaurant."""
        bindings = read_bindings(RESTAURANTS, trip.nights)
        meals = ChoicePlanner(restaurants, [_dining_in(trip)], bindings, self.prior)
        return TogetherPlanner([self.planner(trip), meals])

    def ask(
        self,
        trip: Trip,
        traveller: Traveller,
        stenographer: Stenographer,
        rounds: int,
        planner: Planner | None = None,
    ) -> Elicitation:
        """Return the conversation about a trip; the planner is that of the choice."""
        return elicit(self.schema, planner or self.planner(trip), stenographer, traveller, rounds)

    def choose(self, trip: Trip, profile: Profile) -> Stay:
        """Return the stay that a profile leads to: repaired, then the best expected row."""
        return self._best(self.catalog, self._in(trip), stay_bindings(trip.nights), profile)

    def dine(self, trip: Trip, profile: Profile, stay: Stay, restaurants: Catalog) -> Stay:
        """Return the restaurant that a profile leads to, of one budget with the stay.

        What the stay leaves of a known budget is spread over two meals a day.
        """
        bindings, city = read_bindings(RESTAURANTS, trip.nights), _dining_in(trip)
        costs: dict[str, Constraint] = {}
        if (known := profile.get(BUDGET)) and stay.price is not None:
            left = max(0.0, float(known.value) - stay.price * trip.nights)
            meal = round(left / (MEALS * trip.nights), 2)
            weight = min(1.0, self.prior.worths(profile)[BUDGET])
            costs[BUDGET] = Constraint(column="Average Cost", op="<=", value=meal, weight=weight)
        return self._best(restaurants, city, bindings, profile, costs)

    def _best(
        self,
        catalog: Catalog,
        city: Constraint,
        bindings: Sequence[Binding],
        profile: Profile,
        costs: Mapping[str, Constraint] = MappingProxyType({}),
    ) -> Stay:
        planner = ChoicePlanner(catalog, [city], bindings, self.prior)
        worths = self.prior.worths(profile)
        bound = bind_profile(profile, bindings, lambda entry: min(1.0, worths[entry]))
        asked = {**bound.constraints, **costs}
        query = Query(base=(city,), constraints=tuple(asked.values()))
        answer = RepairEngine(catalog, threads=1).repair(query, top=1)
        if not answer.items:
            return Stay(None, (), bound.lacking, 0.0)
        relaxed = _entries_of(answer.relaxed, answer.constraints, list(asked))
        kept = [constraint for entry, constraint in asked.items() if entry not in relaxed]
        rows = catalog.slice([catalog.bind(constraint) for constraint in (city, *kept)]).ids
        among = np.flatnonzero(np.isin(planner.rows, rows))
        utilities = planner.utilities(self.schema, profile)[among]
        best = int(among[int(np.argmax(utilities))])
        row = catalog.fetch([int(planner.rows[best])])[0]
        number, price = next(iter(row.values())), row.get("price")
        return Stay(number, relaxed, bound.lacking, float(utilities.max()), price)

    @staticmethod
    def _in(trip: Trip) -> Constraint:
        return Constraint(column=CITY, op="==", value=trip.city)


def _dining_in(trip: Trip) -> Constraint:
    return Constraint(column="City", op="==", value=trip.city)


def _entries_of(
    relaxed: Sequence[object], constraints: Sequence[Constraint], entries: Sequence[str]
) -> tuple[str, ...]:
    texts = {str(one) for one in relaxed}
    return tuple(e for e, c in zip(entries, constraints, strict=True) if str(c) in texts)
