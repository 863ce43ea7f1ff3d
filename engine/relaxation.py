"""Relax: what the policy drops, what else would do, and which bounds could move instead.

Costs the policy's search over the mask histogram and, for a query that no row meets, one reading
of the rows for all witnesses; bounds moved together read those near them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..solvers.limits import StoppedBy, Verdict
from ..solvers.masks import mask_of
from .answer import Status
from .diagnosis import Diagnosis, foremost
from .policies import Choice, get_policy
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

    `dropped` is what the policy drops, empty where it drops nothing; `drops` begin with that,
    alternatives follow; `shifts` move bounds instead.
    """

    status: Status
    dropped: frozenset[int] = frozenset()
    drops: Sequence[Drop] = ()
    shifts: Sequence[Shift] = ()
    stopped_by: StoppedBy | None = None

    @property
    def first(self) -> int:
        """A place that no row comes before which meets what is kept."""
        chosen = next((drop for drop in self.drops if drop.dropped == self.dropped), None)
        return chosen.witness if chosen else 0


def relax(context: RepairContext, diagnosis: Diagnosis, options: RepairOptions) -> Relaxation:
    """Return the policy's choice, and the alternatives and shifts beside it."""
    if diagnosis.verdict is Verdict.SAT:
        return Relaxation(Status.SAT_NO_RELAXATION, stopped_by=diagnosis.stopped_by)
    choice = get_policy(options.policy)(context, options.priority)
    status = _status(diagnosis, choice)
    repairs = alternatives(context, options.top, options.order)
    if choice.dropped is not None:
        others = [repair for repair in repairs if repair != choice.dropped]
        repairs = [choice.dropped, *others][: options.top]
    drops, moves = _witnessed(context, repairs, options.top)
    dropped = choice.dropped if status is Status.SAT_AFTER_RELAXATION else None
    stopped_by = foremost(diagnosis.stopped_by, choice.stopped_by, context.cheapest.stopped_by)
    return Relaxation(status, dropped or frozenset(), drops, moves, stopped_by)


def _status(diagnosis: Diagnosis, choice: Choice) -> Status:
    stopped = diagnosis.verdict is Verdict.UNKNOWN or choice.stopped_by is not None
    if choice.dropped is None or diagnosis.verdict is Verdict.UNKNOWN:
        return Status.UNKNOWN if stopped else Status.UNSAT_EVEN_AFTER_RELAXATION
    return Status.SAT_AFTER_RELAXATION


def _witnessed(
    context: RepairContext, repairs: Sequence[frozenset[int]], top: int
) -> tuple[list[Drop], list[Shift]]:
    """Return the repairs that some row bears witness to, and the cheapest shifts."""
    probes = probes_for(context, repairs)
    rows = context.rows
    with rows.share(PROBING):
        results = rows.probe(probes)
    if repairs and rows.stopped_by:
        # The repair chosen has its witness, though the clock came first.
        results[0] = ProbeResult(rows.first_without(mask_of(repairs[0])), results[0].nearest)
    drops = [
        Drop(probe.changed, context.count_without(probe.changed), result.first)
        for probe, result in zip(probes[: len(repairs)], results, strict=False)
        if result.first is not None
    ]
    if not context.histogram.complete:
        return drops, []
    with rows.share(SHIFTING):
        return drops, shifts(context, probes, results, top)
