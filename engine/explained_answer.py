"""Explain: the answer as a model, its rows fetched, its repairs with SQL, all of it in words.

Costs one fetch of the rows shown and about a microsecond for each part of the answer.
"""

from __future__ import annotations

import time

from ..catalogs.unchecked_model import unchecked
from ..solvers.limits import StoppedBy
from ..solvers.masks import mask_of
from .answer import SCHEMA_VERSION, Answer, Repair, SampledAnswer, Status
from .certificates import Certificates
from .diagnosis import Diagnosis, foremost
from .explanation import explain_dead_end, explain_empty_base, explain_relaxation
from .offers import Ranking, fetched_rows, items, near_misses
from .relaxation import Relaxation
from .repair_context import RepairContext
from .repairs import chosen_shift, constraints_at, dropping, given_way, moved_sql, shifting


def explain(
    context: RepairContext,
    diagnosis: Diagnosis,
    relaxation: Relaxation,
    ranking: Ranking,
    policy: str,
    started: float,
) -> Answer:
    """Return the answer; `started` is when the question came, by `time.perf_counter`."""
    chosen, changed = relaxation.chosen, relaxation.changed
    moves = chosen.moves if chosen else ()
    kept = frozenset(range(context.width)) - changed
    rows = fetched_rows(context, _places(relaxation, ranking))
    certificates = Certificates(context, diagnosis)
    repairs = tuple(
        [dropping(context, certificates, drop, rows[drop.witness].row) for drop in relaxation.drops]
    )
    if chosen:
        repairs = (chosen_shift(context, chosen, rows[chosen.shift.witness].row), *repairs)
    witnesses = [rows[shift.witness].row for shift in relaxation.shifts]
    shifts, counted = shifting(context, certificates, relaxation.shifts, witnesses)
    proven_minimal = _is_proven_minimal(context, certificates, relaxation)
    # Asked after everything else, since each part of the answer may have been cut short.
    stopped_by = _stopped_by(context, relaxation, ranking)
    exact = context.counts_exact and (chosen is None or chosen.count.exact)
    answer = unchecked(
        Answer,
        schema_version=SCHEMA_VERSION,
        status=relaxation.status,
        policy=policy,
        solver=context.solver.name,
        count=ranking.ranked.count,
        constraints=context.query.constraints,
        conflicts=diagnosis.conflicts,
        base_conflicts=diagnosis.base_conflicts,
        drop_one_counts=diagnosis.drop_one_counts,
        relaxed=given_way(context, changed, moves),
        kept=constraints_at(context, kept),
        hard=(*context.query.base, *constraints_at(context, context.bound.hard)),
        repairs=repairs,
        shifts=shifts,
        rank=ranking.order,
        items=items(context, ranking.ranked, rows),
        near_misses=near_misses(context, ranking.closest, rows),
        definitions=context.texts.definitions if repairs or shifts else (),
        sql=moved_sql(context, mask_of(changed), moves),
        explanation=_in_words(
            context, diagnosis, relaxation.status, policy, repairs, shifts, exact=exact
        ),
        complete=stopped_by is None,
        counts_exact=counted and exact,
        proven_minimal=proven_minimal,
        stopped_by=stopped_by,
        catalog_version=context.catalog.version,
        elapsed_ms=(time.perf_counter() - started) * 1e3,
    )
    if context.sample is None:
        return answer
    return SampledAnswer(**answer.__dict__, sample=context.sample)


def _places(relaxation: Relaxation, ranking: Ranking) -> list[int]:
    """Return the places of all rows that the answer shows."""
    chosen = [relaxation.chosen.shift] if relaxation.chosen else []
    witnesses = [change.witness for change in (*chosen, *relaxation.drops, *relaxation.shifts)]
    return [*witnesses, *ranking.ranked.places.tolist(), *ranking.closest.places.tolist()]


def _stopped_by(
    context: RepairContext, relaxation: Relaxation, ranking: Ranking
) -> StoppedBy | None:
    """Return what ended a search early: the clock, whichever part it ended, before a limit."""
    ranked = ranking.ranked.complete and ranking.closest.complete
    clock = "deadline" if context.budget.expired or not ranked else None
    return foremost(
        clock, context.histogram.stopped_by, context.rows.stopped_by, relaxation.stopped_by
    )


def _is_proven_minimal(
    context: RepairContext, certificates: Certificates, relaxation: Relaxation
) -> bool:
    if relaxation.status is Status.SAT_NO_RELAXATION:
        return context.histogram.complete
    if relaxation.chosen is not None:
        return relaxation.chosen.is_cheapest
    return bool(relaxation.dropped) and certificates.is_minimal(mask_of(relaxation.dropped))


def _in_words(
    context: RepairContext,
    diagnosis: Diagnosis,
    status: Status,
    policy: str,
    repairs: tuple[Repair, ...],
    shifts: tuple[Repair, ...],
    *,
    exact: bool,
) -> str:
    if status in (Status.SAT_NO_RELAXATION, Status.UNKNOWN):
        so_far = f" So far: {repairs[0].explanation}." if repairs else ""
        return diagnosis.explanation + so_far
    if not diagnosis.base_rows:
        return explain_empty_base(diagnosis.query, diagnosis.base_conflicts, context.bound.labels)
    names, conflicts = context.bound.names, diagnosis.conflicts
    if status is Status.UNSAT_EVEN_AFTER_RELAXATION:
        return explain_dead_end(names, conflicts, policy, repairs)
    nearest = next((shift for shift in shifts if not shift.dropped), None)
    return explain_relaxation(names, conflicts, repairs[0], nearest, exact=exact)
