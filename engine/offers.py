"""Rank: the rows to offer, and those that come closest; then each as an item or a near miss.

Ranking reads the candidates' columns, once each; only the rows that an answer shows are fetched
whole, all in one go.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..catalogs.json_values import Row
from ..catalogs.query.constraint import shown_text
from ..catalogs.query.schema import MeasuredColumn
from ..catalogs.unchecked_model import unchecked
from ..solvers.cheapest_repairs import PRICE_UNITS
from ..solvers.limits import Verdict
from ..solvers.masks import mask_of
from .answer import Contribution, Item, ItemOrder, NearMiss, Rank, Status, Violation
from .diagnosis import Diagnosis
from .plain_order import sorted_page
from .ranking.interface import Closest, Ranked
from .relaxation import Relaxation
from .repair_context import RepairContext
from .repair_options import RepairOptions

RANKING = 0.6
"""The part of the time that remains which items may take, and of the rest near misses."""

NO_ROWS = Ranked(0, np.zeros(0, np.intp), np.zeros(0), np.zeros((0, 0)), np.zeros(0, np.bool_))


@dataclass(frozen=True)
class Ranking:
    """The rows to offer, best first in an order, and the closest to what was asked, by place."""

    ranked: Ranked
    closest: Closest
    order: ItemOrder


def order_of(relaxation: Relaxation, options: RepairOptions, said: Rank | None = None) -> Rank:
    """Return the order of the items: the one asked for, near once something gave way."""
    relaxed = relaxation.status is Status.SAT_AFTER_RELAXATION
    return options.rank or said or ("near" if relaxed else "score")


def rank(
    context: RepairContext, diagnosis: Diagnosis, relaxation: Relaxation, options: RepairOptions
) -> Ranking:
    """Return the `top` best rows that meet what is kept; the `top` closest if none meets all."""
    said = context.catalog.snapshot().presentation.order
    top, order = options.top, order_of(relaxation, options, said)
    ranked, closest = NO_ROWS, Closest(NO_ROWS.places, NO_ROWS.scores)
    if relaxation.status in (Status.SAT_NO_RELAXATION, Status.SAT_AFTER_RELAXATION):
        chosen, changed = relaxation.chosen, relaxation.changed
        count = chosen.count.rows if chosen else context.count_without(changed)
        rows = chosen.rows if chosen else context.rows
        # Where nothing gave way no row is nearer than another.
        best = rows.rank_near if order == "near" and changed else rows.rank
        most, skip = top + options.offset, options.offset
        if options.sort:
            ranked = sorted_page(context, relaxation, options, count)
        else:
            with rows.share(RANKING):
                ranked = best(changed, count, most, relaxation.first, skip)
        if count and not (skip or options.sort or ranked.complete or len(ranked.places)):
            # The pieces read have none of them: the one that has the first is read, too.
            first = rows.first_without(mask_of(changed))
            ranked = best(changed, count, top, first or 0)
    if diagnosis.verdict is Verdict.UNSAT:
        with context.rows.share(RANKING):
            closest = context.rows.closest(top)
    return Ranking(ranked, closest, "sort" if options.sort else order)


class FetchedRow(NamedTuple):
    """A row to show, and how far it is from meeting each constraint (`RowRanker.distances`)."""

    row_id: int
    row: Row
    distances: list[float]


def fetched_rows(context: RepairContext, places: Iterable[int]) -> dict[int, FetchedRow]:
    """Return the rows at some places of the base slice, by place."""
    listed = sorted(set(places))
    distinct = np.array(listed, dtype=np.intp)
    row_ids, rows = context.rows.fetch(distinct)
    distances = context.rows.distances(distinct).T.tolist()
    return dict(zip(listed, map(FetchedRow, row_ids, rows, distances), strict=True))


def items(
    context: RepairContext, ranked: Ranked, rows: Mapping[int, FetchedRow]
) -> tuple[Item, ...]:
    """Return the ranked rows as items, best first."""
    scored = zip(
        [rows[place] for place in ranked.places.tolist()],
        ranked.scores.tolist(),
        ranked.satisfaction.T.tolist(),
        ranked.pareto.tolist(),
        strict=True,
    )
    return tuple([_item(context, *row) for row in scored])


def _item(
    context: RepairContext,
    fetched: FetchedRow,
    score: float,
    satisfaction: list[float],
    pareto: bool,
) -> Item:
    contributions = [
        unchecked(
            Contribution,
            column=term.column,
            position=term.position,
            weight=term.weight,
            satisfaction=share,
            contribution=term.weight * share,
        )
        for term, share in zip(context.bound.terms, satisfaction, strict=True)
    ]
    distances = fetched.distances
    misses = tuple([position for position, distance in enumerate(distances) if distance])
    return unchecked(
        Item,
        row_id=fetched.row_id,
        row=dict(fetched.row),
        score=score,
        violation=_violation(context, misses, distances),
        meets=tuple([position for position, distance in enumerate(distances) if not distance]),
        misses=misses,
        contributions=tuple(contributions),
        pareto=pareto,
    )


def _violation(context: RepairContext, misses: Iterable[int], distances: Sequence[float]) -> float:
    """Return the sum of weight × distance of what a row misses, in steps of 10⁻¹²."""
    violation = 0.0
    for position in misses:
        violation += context.bound.weights[position] * distances[position]
    return round(violation * PRICE_UNITS) / PRICE_UNITS


def near_misses(
    context: RepairContext, closest: Closest, rows: Mapping[int, FetchedRow]
) -> tuple[NearMiss, ...]:
    """Return the closest rows with what each violates."""
    pairs = zip(closest.places.tolist(), closest.violations.tolist(), strict=True)
    return tuple([_near_miss(context, rows[place], violation) for place, violation in pairs])


def _near_miss(context: RepairContext, fetched: FetchedRow, violation: float) -> NearMiss:
    constraints, brief = context.query.constraints, context.texts.brief
    columns, row, distances = context.bound.single_columns, fetched.row, fetched.distances
    violations = [
        unchecked(
            Violation,
            position=position,
            constraint=constraints[position],
            actual=_several(context, position, row)
            if (column := columns[position]) is None
            else _shown(row[column]),
            distance=distances[position],
            brief=position in brief,
        )
        for position in context.bound.soft
        if distances[position]
    ]
    return unchecked(
        NearMiss,
        row_id=fetched.row_id,
        row=dict(row),
        violation=violation,
        violates=tuple(violations),
    )


def _several(context: RepairContext, position: int, row: Row) -> object:
    """Return what the row has in the columns of a constraint on several, or what it measures."""
    bound = context.bound.bounds[position]
    if bound is not None and isinstance(bound.column, MeasuredColumn):
        return _measured(bound.column, row)
    columns = context.bound.problem.predicates[position].columns
    return {column: _shown(row[column]) for column in columns}


def _measured(column: MeasuredColumn, row: Row) -> object:
    """Return what is measured of a row, to the metre or the tenth of a minute; or its hours."""
    measure = column.measure
    if measure.kind == "open at":
        return {name: _shown(row[name]) for name in measure.columns}
    number = measure.of_row(row)
    name = "distance_km" if measure.kind == "within" else "travel_minutes"
    return {name: None if math.isnan(number) else round(number, measure.digits)}


def _shown(value: object) -> object:
    """Return a value as it is, a long text cut: it stands in the row."""
    return shown_text(value) if isinstance(value, str) else value
