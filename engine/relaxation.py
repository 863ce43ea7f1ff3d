"""Relax: what the policy drops, what else would do, and which bounds could move instead.

Costs the policy's search over the mask histogram and, for a query that no row meets, one reading
of the rows for all witnesses; bounds moved together read those near them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..catalogs.deadline import DeadlinePassed
from ..solvers.limits import StoppedBy, Verdict
from ..solvers.masks import mask_of, positions_of
from .answer import Status
from .cheapest_change import CarriedOut, carried_out
from .diagnosis import Diagnosis, foremost
from .policies import Choice, get_policy, least_weight
from .ranking.interface import ProbeResult, Shift
from .repair_context import RepairContext
from .repair_options import RepairOptions
from .repairs import Drop, alternatives
from .shifts import probes_for, shifts

PROBING = 0.3
"""The part of the time that remains which finding witnesses may take, before items are ranked."""

SHIFTING = 0.3
"""The part that moving bounds together may take."""


@dataclass(frozen=True)
class Relaxation:
    """What gives way, with witnesses by their places.

    `dropped` is what the policy drops, empty where it drops nothing; `chosen` are the bounds that
    it moves. `drops` begin with what is dropped, unless bounds are moved, alternatives follow;
    `shifts` move bounds instead.
    """

    status: Status
    dropped: frozenset[int] = frozenset()
    drops: Sequence[Drop] = ()
    shifts: Sequence[Shift] = ()
    stopped_by: StoppedBy | None = None
    chosen: CarriedOut | None = None

    @property
    def changed(self) -> frozenset[int]:
        """What gives way: constraints dropped, and those whose bounds are moved."""
        return positions_of(self.chosen.shift.changed_mask) if self.chosen else self.dropped

    @property
    def first(self) -> int:
        """A place that no row comes before which meets what is kept."""
        same = (drop.witness for drop in self.drops if drop.dropped == self.dropped)
        return 0 if self.chosen else next(same, 0)


def relax(context: RepairContext, diagnosis: Diagnosis, options: RepairOptions) -> Relaxation:
    """Return the policy's choice, and the alternatives and shifts beside it."""
    if diagnosis.verdict is Verdict.SAT:
        return Relaxation(Status.SAT_NO_RELAXATION, stopped_by=diagnosis.stopped_by)
    choice, chosen = _carried_out(
        context, get_policy(options.policy)(context, options.priority), options
    )
    status = _status(diagnosis, choice)
    repairs = alternatives(context, options.top, options.order)
    if choice.shift is not None:
        repairs = repairs[: options.top - 1]
    elif choice.dropped is not None:
        others = [repair for repair in repairs if repair != choice.dropped]
        repairs = [choice.dropped, *others][: options.top]
    drops, moves = _witnessed(context, repairs, options.top, choice.shift)
    if status is Status.SAT_AFTER_RELAXATION and not drops and chosen is None:
        # A repair that no witness was found for in time is none.
        status = Status.UNKNOWN
    dropped = choice.dropped if status is Status.SAT_AFTER_RELAXATION else None
    stopped_by = foremost(diagnosis.stopped_by, choice.stopped_by, context.cheapest.stopped_by)
    return Relaxation(status, dropped or frozenset(), drops, moves, stopped_by, chosen)


def _carried_out(
    context: RepairContext, choice: Choice, options: RepairOptions
) -> tuple[Choice, CarriedOut | None]:
    """Return a choice with its shift carried out; the cheapest repair if there is no time to."""
    if choice.shift is None:
        return choice, None
    try:
        late = choice.stopped_by is not None
        return choice, carried_out(context, choice.shift, late=late)
    except DeadlinePassed:
        choice = least_weight(context, options.priority)
        return Choice(choice.dropped, "deadline"), None


def _status(diagnosis: Diagnosis, choice: Choice) -> Status:
    stopped = diagnosis.verdict is Verdict.UNKNOWN or choice.stopped_by is not None
    if choice.dropped is None or diagnosis.verdict is Verdict.UNKNOWN:
        return Status.UNKNOWN if stopped else Status.UNSAT_EVEN_AFTER_RELAXATION
    return Status.SAT_AFTER_RELAXATION


def _witnessed(
    context: RepairContext, repairs: Sequence[frozenset[int]], top: int, chosen: Shift | None
) -> tuple[list[Drop], list[Shift]]:
    """Return the repairs that some row bears witness to, and the cheapest shifts but the chosen."""
    context.count_ahead(repairs)
    probes = probes_for(context, repairs)
    rows = context.rows
    with rows.share(PROBING):
        results = rows.probe(probes)
    if repairs and rows.stopped_by:
        # The repair chosen has its witness, though the clock came first.
        results[0] = ProbeResult(rows.first_without(mask_of(repairs[0])), results[0].nearest)
    drops = [
        Drop(
            probe.changed,
            context.count_without(probe.changed) if probe.rows is None else probe.rows,
            result.first,
        )
        for probe, result in zip(probes[: len(repairs)], results, strict=False)
        if result.first is not None
    ]
    if not context.histogram.complete:
        return drops, []
    with rows.share(SHIFTING):
        return drops, shifts(context, probes, results, top, chosen)
