"""Implicit decision factors: what somebody did not say, but history, profile or context does.

Hard: what cannot be paid for, reached without a car, or is closed. Soft: habits, wishes put back a
moment ago, what a profile likes. Each has the evidence it is drawn from, all of it from before the
question, and a weight by appendix A.2 of MapSatisfyBench (`factors`). Pure: it reads the catalog
and what it is given. Cost: the rows of up to `MOST_EVENTS` lists, and a test of each column.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ....catalogs.query.constraint import Constraint
from ....catalogs.query.place_values import MINUTES_A_KM
from ..factors import MOST, Factor
from .circumstances import Context, Profile
from .events import DAY, Event
from .found_habits import Found, found_habits
from .habits import Pick
from .picks import distances, picks_of_log

if TYPE_CHECKING:
    from ....catalogs.versions.reader import CatalogReader

MOST_EVENTS = 300
"""The newest events that are looked at."""

SESSION = 3_600.0
"""Seconds before the question that belong to what somebody is doing now."""

ROUTINE = 28 * DAY
"""What has been done for so long is a routine."""

ON_FOOT = 45.0
"""Minutes somebody walks, where their history knows no longer way."""

LEAST_RATIO = 0.4
"""The share in a profile that speaks for a value."""

LEAST_WEIGHT = 0.2
MOST_SOFT = 8

NAMED = ("profile.", "context.")
"""How evidence that is no event begins."""

Kind = Literal["hard", "soft"]
Source = Literal["context", "preference", "spatio-temporal"]


@dataclass(frozen=True)
class ImplicitFactor:
    """A constraint nobody asked for, and what speaks for it.

    `weight` is that of A.2, up to 1.44; on the constraint it is divided by 1.44. `evidence` are ids
    of events, `profile.…` and `context.…`; of `total` choices that tell, `supporting` meet it.
    """

    constraint: Constraint
    type: Kind
    weight: float
    source: Source
    evidence: tuple[str, ...]
    supporting: int = 0
    total: int = 0

    @property
    def because(self) -> str:
        """The evidence for a person: `5 of 6 earlier choices (e9, e8, e7, …)`."""
        said: list[str] = []
        events = [name for name in self.evidence if not name.startswith(NAMED)]
        if events and self.total:
            listed = ", ".join(events[:3]) + (", …" if len(events) > 3 else "")
            said.append(f"{self.supporting} of {self.total} earlier choices ({listed})")
        elif events:
            said.append(f"what was done before ({', '.join(events)})")
        for name in self.evidence:
            if name.startswith(NAMED):
                kind, _, part = name.partition(".")
                said.append(f"the {part} of the profile" if kind == "profile" else f"the {part}")
        return " and ".join(said)


def implicit_factors(
    catalog: CatalogReader,
    key: str | None,
    log: Iterable[Event],
    profile: Profile | None = None,
    context: Context | None = None,
    asked: Sequence[Constraint] = (),
) -> list[ImplicitFactor]:
    """Return what one person's log, profile and moment say that `asked` does not, hard first.

    No event from the moment of the question on counts, and without a `key` none at all. Of what is
    asked about already only what is hard is added. Raises `UnknownColumn` for the key or a column
    of the profile, and `BadConstraint` for what the catalog cannot ask.
    """
    profile, context = profile or Profile(), context or Context()
    events = sorted(
        (event for event in log if event.time < context.until),
        key=lambda event: (event.time, event.id),
    )[-MOST_EVENTS:]
    picks = [] if key is None else picks_of_log(catalog, key, events)
    known = {_about(constraint) for constraint in asked}
    hard = list(_hard(catalog, profile, context, picks, known))
    found: list[ImplicitFactor] = []
    for factor in _soft(catalog, key, (events, picks), (profile, context)):
        about = _about(factor.constraint)
        if about not in known and factor.weight >= LEAST_WEIGHT:
            known.add(about)
            found.append(factor)
    for factor in (*hard, *found):
        catalog.bind(factor.constraint)
    return hard + sorted(found, key=lambda factor: -factor.weight)[:MOST_SOFT]


def _about(constraint: Constraint) -> str:
    """Return what a constraint is about: its column, a distance, hours."""
    if constraint.column is not None:
        return constraint.column.casefold()
    return "(distance)" if constraint.op in ("within", "reachable") else f"({constraint.op})"


def _factor(
    constraint: Constraint, kind: Kind, weight: float, source: Source, evidence: Sequence[str]
) -> ImplicitFactor:
    return ImplicitFactor(_weighed(constraint, kind, weight), kind, weight, source, tuple(evidence))


def _weighed(constraint: Constraint, kind: Kind, weight: float) -> Constraint:
    fields = constraint.model_dump(exclude_unset=True)
    marks = {"weight": round(min(1.0, weight / MOST), 6)} | (
        {"hard": True} if kind == "hard" else {}
    )
    return Constraint.model_validate(fields | marks)


def _hard(
    catalog: CatalogReader,
    profile: Profile,
    context: Context,
    picks: Sequence[Pick],
    known: set[str],
) -> Iterator[ImplicitFactor]:
    """Yield what stands in the way of anything else: money, needs, hours, the way there."""
    basic = Factor(relevance="strong").weight
    if profile.budget is not None and catalog.cost_column is not None:
        affordable = Constraint(column=catalog.cost_column, op="<=", value=profile.budget)
        yield _factor(affordable, "hard", basic, "preference", ["profile.budget"])
    for must in profile.musts:
        yield _factor(must, "hard", basic, "preference", ["profile.musts"])
    now = Factor(current_need=1.2).weight
    places = catalog.schema.places
    if context.time is not None and places.hours is not None and "(open at)" not in known:
        moment = Constraint(op="open at", value=f"{context.time:%Y-%m-%d %H:%M}")
        yield _factor(moment, "hard", now, "spatio-temporal", ["context.time"])
    is_near = places.location is not None and "(distance)" not in known
    if is_near and profile.car is False and context.place is not None:
        yield _on_foot(catalog, context.place, picks)


def _on_foot(
    catalog: CatalogReader, place: tuple[float, float], picks: Sequence[Pick]
) -> ImplicitFactor:
    """Return what can be reached without a car: a walk, or as far as the person went before."""
    ways = [(float(distances(catalog, pick)[0]), pick.event) for pick in picks if pick.point]
    ways = [way for way in ways if math.isfinite(way[0])]
    farthest, event = max(ways, default=(0.0, ""))
    minutes = math.ceil(farthest * MINUTES_A_KM["walk"])
    evidence = ["profile.car", "context.place"]
    if minutes > ON_FOOT:
        evidence.append(event)
    reach = Constraint(op="reachable", value=(*place, "walk", max(ON_FOOT, float(minutes))))
    weight = Factor(relevance="strong", current_need=1.2).weight
    return _factor(reach, "hard", weight, "spatio-temporal", evidence)


def _soft(
    catalog: CatalogReader,
    key: str | None,
    history: tuple[Sequence[Event], Sequence[Pick]],
    person: tuple[Profile, Context],
) -> Iterator[ImplicitFactor]:
    """Yield what matters more or less, the best known of each column first."""
    (events, picks), (profile, context) = history, person
    for event in reversed(events):
        if event.time >= context.until - SESSION and context.time is not None:
            for position in event.put_back:
                weight = Factor(current_need=1.2).weight
                wish = event.constraints[position]
                yield _factor(_bare(wish), "soft", weight, "context", [event.id])
    for like in profile.likes:
        weight = Factor(relevance=like.relevance).weight
        yield _factor(like.constraint, "soft", weight, "preference", ["profile.likes"])
    for found in found_habits(catalog, key, picks, context, profile.home):
        yield _habitual(found, profile, context)
    for column, ratios in profile.ratios.items():
        name = catalog.schema.find(column).name
        value, ratio = max(ratios.items(), key=lambda each: each[1], default=("", 0.0))
        if ratio >= LEAST_RATIO:
            usual = Constraint(column=name, op="==", value=value)
            weight = Factor(profile=ratio, routine=True).weight
            yield _factor(usual, "soft", weight, "preference", [f"profile.ratios.{column}"])


def _bare(constraint: Constraint) -> Constraint:
    """Return a constraint as it was asked, without what it weighed then."""
    fields = constraint.model_dump(exclude_unset=True, exclude={"weight", "hard", "group"})
    return Constraint.model_validate(fields)


def _habitual(found: Found, profile: Profile, context: Context) -> ImplicitFactor:
    """Return a habit as a factor, weighed by its strength, momentum, age and the session."""
    times = [pick.time for pick in found.supporting]
    newest = found.picks[-1].time if context.time is None else context.until
    middle = (found.picks[0].time + newest) / 2
    ratio, evidence = None, [pick.event for pick in reversed(found.supporting)]
    for column, ratios in profile.ratios.items():
        if column.casefold() == _about(found.constraint) and found.constraint.op == "==":
            ratio = ratios.get(str(found.constraint.value))
            evidence += [] if ratio is None else [f"profile.ratios.{column}"]
    recent = sum(time >= middle for time in times)
    factor = Factor(
        supporting=len(times),
        total=len(found.picks),
        recent=recent,
        early=len(times) - recent,
        profile=ratio,
        routine=times[-1] - times[0] >= ROUTINE,
        current_need=_current_need(found, context),
    )
    if found.part is not None:
        evidence.append("context.time")
    if found.is_distance:
        evidence.append("context.place" if context.place is not None else "profile.home")
    source: Source = "spatio-temporal" if found.is_distance else "preference"
    made = _factor(found.constraint, "soft", factor.weight, source, list(dict.fromkeys(evidence)))
    return replace(made, supporting=len(times), total=len(found.picks))


def _current_need(found: Found, context: Context) -> float | None:
    """Return what the last hour says of a habit; None where it is silent."""
    if context.time is None:
        return None
    since = context.until - SESSION
    supporting = sum(pick.time >= since for pick in found.supporting)
    told = sum(pick.time >= since for pick in found.picks)
    if not told:
        return None
    return 1.2 if supporting == told else 0.8 if supporting else 0.5
