"""Relax: what the policy drops, what else would do, and which bounds could move instead.

Costs the policy's search over the mask histogram and, for a query that no row meets, one reading
of the rows for all witnesses; bounds moved together read those near them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..solvers.limits import StoppedBy, Verdict
from ..solvers.masks import positions_of
from .answer import Status
from .cheapest_change import CarriedOut, carried_out
from .diagnosis import Diagnosis
from .policies import Choice, get_policy
from .ranking.interface import Shift
from .repair_context import RepairContext
from .repair_options import RepairOptions
from .repairs import Drop, alternatives
from .shifts import probes_for, shifts


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


def relax(context: RepairContext, diagnosis: Diagnosis, options: RepairOptions) -> Relaxation:
    """Return the policy's choice, and the alternatives and shifts beside it."""
    if diagnosis.verdict is Verdict.SAT:
        return Relaxation(Status.SAT_NO_RELAXATION, stopped_by=diagnosis.stopped_by)
    choice = get_policy(options.policy)(context, options.priority)
    status = _status(diagnosis, choice)
    repairs = alternatives(context, options.top, options.order)
    if choice.shift is not None:
        repairs = repairs[: options.top - 1]
    elif choice.dropped is not None:
        others = [repair for repair in repairs if repair != choice.dropped]
        repairs = [choice.dropped, *others][: options.top]
    drops, moves = _witnessed(context, repairs, options.top, choice.shift)
    dropped = choice.dropped if status is Status.SAT_AFTER_RELAXATION else None
    stopped_by = diagnosis.stopped_by or choice.stopped_by or context.cheapest.stopped_by
    chosen = carried_out(context, choice.shift) if choice.shift else None
    return Relaxation(status, dropped or frozenset(), drops, moves, stopped_by, chosen)


def _status(diagnosis: Diagnosis, choice: Choice) -> Status:
    stopped = diagnosis.verdict is Verdict.UNKNOWN or choice.stopped_by is not None
    if choice.dropped is None or diagnosis.verdict is Verdict.UNKNOWN:
        return Status.UNKNOWN if stopped else Status.UNSAT_EVEN_AFTER_RELAXATION
    return Status.SAT_AFTER_RELAXATION


def _witnessed(
    context: RepairContext, repairs: Sequence[frozenset[int]], top: int, chosen: Shift | None
) -> tuple[list[Drop], list[Shift]]:
    """Return the repairs that some row bears witness to, and the cheapest shifts but the chosen."""
    probes = probes_for(context, repairs)
    results = context.rows.probe(probes)
    drops = [
        Drop(probe.changed, context.count_without(probe.changed), result.first)
        for probe, result in zip(probes[: len(repairs)], results, strict=False)
        if result.first is not None
    ]
    if not context.histogram.complete:
        return drops, []
    return drops, shifts(context, probes, results, top, chosen)
