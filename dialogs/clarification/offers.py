"""Offers: the constraints by which an unclear spot may be answered, by its kind.

A vague wish gets bounds at quantiles of the rows that the rest of the query finds, in round
numbers; everything else gets the reader's own readings of the words. Linear in those rows.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from math import ceil, floor, log10

import numpy as np
from numpy.typing import NDArray

from ...catalogs.query.constraint import Constraint
from ...catalogs.versions.reader import CatalogReader
from ..extraction.decoding import judged_as
from ..extraction.extracted import Extraction
from ..extraction.judged import Judged, Weighed
from ..extraction.mention import Option
from ..extraction.merging import Wishes
from .look import CLOSE, Look
from .nearest import commonest, longer_values, nearest_values, texts_with
from .spots import Kind, Spot

MOST = 4
"""Options of one question, besides that it does not matter."""

SHARES = (0.25, 0.5)
"""Shares of the rows that the bounds of a vague wish keep."""

ROUND = 0.12
"""How far a round number may lie from the quantile, as a share of the middle half's width."""


@dataclass(frozen=True)
class Offering:
    """What offers are made from: the look, the catalog, the rows left, and the extraction."""

    look: Look
    catalog: CatalogReader
    rows: NDArray[np.integer]
    extraction: Extraction

    def offers(self, spot: Spot) -> list[Constraint]:
        """Return the constraints that may be meant, the likeliest first, none twice."""
        found = dict.fromkeys(_unweighted(wish) for wish in _OFFERS[spot.kind](self, spot))
        return list(islice(found, MOST))

    def constraint(self, item: Judged) -> Constraint | None:
        """Return what one judged mention asks for by itself."""
        wishes = Wishes(self.catalog, self.look.reading.index)
        wishes.add(item)
        extraction = wishes.extraction()
        parts = extraction.constraints
        return parts[0].constraint if parts else None

    def as_meant(self, item: Weighed, at: int) -> Judged:
        """Return a mention judged as if its option at a place were what is meant."""
        return judged_as(self.look.reading, item, at, self.look.network)


def _unweighted(wish: Constraint) -> Constraint:
    return wish.model_copy(update={"hard": False, "weight": None})


def _options(item: Weighed) -> list[tuple[float, int]]:
    """Return the log-odds and places of a mention's options, the likeliest first."""
    logits = [float(logit) for logit in item.logits]
    return sorted(((logit, at) for at, logit in enumerate(logits)), key=lambda p: (-p[0], p[1]))


def _close(items: Sequence[Weighed], within: float) -> list[tuple[Weighed, int]]:
    """Return the options of some mentions that may be meant as well as the likeliest."""
    every = [(logit, at, item) for item in items for logit, at in _options(item)]
    every.sort(key=lambda known: -known[0])
    best = every[0][0] if every else 0.0
    return [(item, at) for logit, at, item in every if logit >= best - within]


def _vague(offering: Offering, spot: Spot) -> Iterator[Constraint]:
    grades = [item for item in spot.readings if item.mention.kind == "grade"]
    aims = _aims(offering, spot, grades)
    share = SHARES if len(aims) == 1 else SHARES[:1] if len(aims) > 2 else (1 / 3,)
    for column, low in aims:
        yield from bounds(offering, column, low=low, shares=share)
    for item, at in _close([i for i in spot.readings if i.mention.kind == "value"], 1.0):
        if float(item.logits[at]) > -1.0:
            wish = offering.constraint(offering.as_meant(item, at))
            if wish is not None:
                yield wish


def _aims(offering: Offering, spot: Spot, grades: Sequence[Weighed]) -> list[tuple[str, bool]]:
    """Return the columns that a vague word may be about and whether it wishes them low."""
    aims: dict[str, bool] = {}
    told: set[str] = set()
    for item, at in _close(grades, CLOSE):
        judged = offering.as_meant(item, at)
        low = (judged.option.values[0] == "min") != judged.grade.startswith("turned")
        aims.setdefault(judged.column, low)
        if judged.option.fit:
            told.add(judged.column)
    beside = _beside(offering.look, spot, aims)
    kept = [c for c in aims if c in beside] or [c for c in aims if c in told]
    values = any(item.mention.kind == "value" and item.gain > -1 for item in spot.readings)
    kept = kept or ([] if values else [*aims])
    return [(column, aims[column]) for column in kept][:3]


def _beside(look: Look, spot: Spot, columns: Container[str]) -> set[str]:
    """Return the columns named right after a vague word, or else right before it."""
    reading = look.reading
    namings = [n for name, found in reading.namings.items() if name in columns for n in found]
    after = [
        n.column
        for n in namings
        if 0 < n.first - spot.last <= 2 and "," not in reading.gap(spot.last + 1)
    ]
    before = [
        n.column
        for n in namings
        if 0 < spot.first - n.last <= 4
        and not any("," in reading.gap(at) for at in range(n.last + 1, spot.first + 1))
    ]
    return set(after or before)


def bounds(
    offering: Offering, column: str, *, low: bool, shares: Sequence[float]
) -> Iterator[Constraint]:
    """Yield bounds that keep about some shares of the rows left, in round numbers."""
    index = offering.look.reading.index
    if column not in index.numeric and column not in index.dates:
        return
    every = offering.catalog.numbers(column)
    values = every[offering.rows]
    values = values[~np.isnan(values)]
    if len(np.unique(values)) < 2:
        values = every[~np.isnan(every)]
    if not len(values):
        return
    whole = bool(np.all(every[~np.isnan(every)] % 1 == 0))
    width = float(np.subtract(*np.quantile(values, [0.75, 0.25])) or np.ptp(values))
    for share in shares:
        at = share if low else 1 - share
        exact = float(np.quantile(values, at, method="lower" if low else "higher"))
        op = "<=" if low else ">="
        if column in index.dates:
            day = datetime.fromtimestamp(exact, UTC).date()
            yield Constraint(column=column, op=op, value=day.isoformat())
            continue
        bound = rounded(exact, width, up=low, whole=whole)
        if np.all(values <= bound if low else values >= bound):
            bound = exact
        value = int(bound) if bound.is_integer() else bound
        yield Constraint(column=column, op=op, value=value)


def rounded(value: float, width: float, *, up: bool, whole: bool = False) -> float:
    """Return the roundest number near a value, above or below; `width` is the middle half's."""
    reach = abs(width) * ROUND
    if reach <= 0.0:
        return value
    power = floor(log10(max(reach, abs(value), 1e-9))) + 1
    for exponent in range(power, power - 12, -1):
        for factor in (5.0, 2.5, 2.0, 1.0):
            step = factor * 10.0**exponent
            if whole and step % 1:
                continue
            near = (ceil(value / step - 1e-9) if up else floor(value / step + 1e-9)) * step
            if abs(near - value) <= reach:
                return round(near, 10)
    return value


def _numbers(offering: Offering, spot: Spot) -> Iterator[Constraint]:
    (item,) = spot.readings
    columns: dict[str, Judged] = {}
    for _, at in _close([item], CLOSE):
        judged = offering.as_meant(item, at)
        columns.setdefault(judged.column, judged)
    for judged in list(columns.values())[:3]:
        wish = offering.constraint(judged)
        if wish is not None:
            yield wish
        if len(columns) == 1 and judged.option.how == "number":
            for side in ("<=", ">="):
                wish = offering.constraint(replace(judged, side=side))
                if wish is not None:
                    yield wish


def _readings(offering: Offering, spot: Spot) -> Iterator[Constraint]:
    items = [item for item in spot.readings if item.mention.kind in ("value", "name")]
    grades = [item for item in spot.readings if item.mention.kind == "grade" and item.gain > -1]
    for item, at in _close(items, CLOSE):
        judged = offering.as_meant(item, at)
        for single in (*_apart(judged.option), *_longer(offering, judged)):
            wish = offering.constraint(replace(judged, option=single))
            if wish is not None:
                yield wish
    for column, low in _aims(offering, spot, grades) if grades else ():
        yield from bounds(offering, column, low=low, shares=(1 / 3,))


def _apart(option: Option) -> Iterator[Option]:
    """Yield an option that several values share, all of them, then each; another as it is."""
    several = option.how == "together" or (option.how == "phrase" and option.rivals > 0)
    if not several or len(option.values) < 2:
        yield option
        return
    if len(option.values) > MOST - 1:
        yield replace(option, how="together")
        return
    yield from (replace(option, values=(value,), how="whole", rivals=0) for value in option.values)
    yield replace(option, how="together")


def _longer(offering: Offering, judged: Judged) -> Iterator[Option]:
    """Yield the longer values that hold the words of one that was said whole."""
    option = judged.option
    if (
        judged.mention.kind == "value"
        and option.how in ("whole", "part")
        and len(option.values) == 1
    ):
        index = offering.look.reading.index
        for value in longer_values(index, judged.column, option.values[0]):
            yield replace(option, values=(value,))


def _alternatives(offering: Offering, spot: Spot) -> Iterator[Constraint]:
    one, other = (_in_common(offering, part) for part in spot.parts)
    shared = [column for column in one if column in other]
    for column in shared[:1]:
        first, second = (offering.constraint(part[column]) for part in (one, other))
        if first is None or second is None or first == second:
            continue
        yield from (both for both in [either(first, second)] if both is not None)
        yield first
        yield second


def _in_common(offering: Offering, part: Judged) -> dict[str, Judged]:
    """Return how a value may be meant by column, as it was judged first."""
    found = {part.column: replace(part, link="")}
    for item in offering.look.over(part.mention.first, part.mention.last):
        if item.mention.kind == "value":
            for _, at in _options(item):
                judged = offering.as_meant(item, at)
                found.setdefault(judged.column, judged)
    return found


def either(one: Constraint, other: Constraint) -> Constraint | None:
    """Return the constraint that one of two on a column is met; None where no operator says it."""
    ops = {"==": "in", "in": "in", "contains": "contains any", "contains any": "contains any"}
    if one.column != other.column or ops.get(one.op, one.op) != ops.get(other.op, other.op):
        return None
    if one.op not in ops:
        return None
    values = tuple(dict.fromkeys((*one.values, *other.values)))
    return Constraint(column=one.column, op=ops[one.op], value=values)


def _nearest(offering: Offering, spot: Spot) -> Iterator[Constraint]:
    yield from _readings(offering, replace(spot, readings=tuple(_hopeful(spot))))
    look = offering.look
    index, said = look.reading.index, look.reading.span(spot.first, spot.last).text
    near = list(islice(nearest_values(index, said), MOST - 1)) + list(texts_with(index, said))[:1]
    yield from near or commonest(index, {item.column for item in look.judged})


def _hopeful(spot: Spot) -> Iterator[Weighed]:
    """Yield the readings that were not likely enough to be meant, but nearly."""
    for item in spot.readings:
        if item.gain > -CLOSE and item.mention.kind in ("value", "name", "grade"):
            yield item


_OFFERS: dict[Kind, Callable[[Offering, Spot], Iterator[Constraint]]] = {
    "vague": _vague,
    "number": _numbers,
    "ambiguous": _readings,
    "alternatives": _alternatives,
    "unlinked": _nearest,
}
