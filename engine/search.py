"""From a diagnosis and a choice to an answer: what else would do, and what to offer."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..catalogs.lazy import lazy
from ..solvers.limits import StoppedBy, Verdict
from ..solvers.masks import mask_of
from .alternatives import Drop, alternatives, dropping, is_minimal, relaxed_constraints, shifting
from .answer import SCHEMA_VERSION, Answer, Repair, Status
from .case import Case
from .diagnosis import Diagnosis
from .explanation import explain_dead_end, explain_empty_base, explain_relaxation
from .items import items
from .near_misses import near_misses
from .policies import Choice
from .rows import Closest, Ranked, Shift
from .shifts import probes_for, shifts
from .shown import Shown, read_rows


@dataclass(frozen=True)
class Found:
    """What the search has found, rows by their places: everything but the words."""

    case: Case
    diagnosis: Diagnosis
    status: Status
    dropped: frozenset[int]
    drops: list[Drop]
    moves: list[Shift]
    ranked: Ranked
    closest: Closest
    stopped_by: StoppedBy | None

    @lazy
    def rows(self) -> dict[int, Shown]:
        """Every row that will be shown, by place."""
        witnesses = [one.witness for one in (*self.drops, *self.moves)]
        ranked, closest = self.ranked.places.tolist(), self.closest.places.tolist()
        return read_rows(self.case, [*witnesses, *ranked, *closest])

    @lazy
    def repairs(self) -> tuple[Repair, ...]:
        """The repairs that drop constraints."""
        rows = self.rows
        return tuple([dropping(self.case, one, rows[one.witness].row) for one in self.drops])

    @lazy
    def shifts(self) -> tuple[Repair, ...]:
        """The repairs that move bounds."""
        rows = self.rows
        return shifting(self.case, self.moves, [rows[one.witness].row for one in self.moves])


NOTHING = Ranked(0, np.zeros(0, np.intp), np.zeros(0), np.zeros((0, 0)), np.zeros(0, np.bool_))


def _status(diagnosis: Diagnosis, choice: Choice) -> Status:
    if diagnosis.verdict is Verdict.SAT:
        return Status.SAT_NO_RELAXATION
    stopped = diagnosis.verdict is Verdict.UNKNOWN or choice.stopped_by is not None
    if choice.dropped is None or diagnosis.verdict is Verdict.UNKNOWN:
        return Status.UNKNOWN if stopped else Status.UNSAT_EVEN_AFTER_RELAXATION
    return Status.SAT_AFTER_RELAXATION


def search(case: Case, diagnosis: Diagnosis, choice: Choice, top: int, order: str) -> Found:
    """Return the alternatives and shifts beside the policy's choice, and the rows to offer."""
    status = _status(diagnosis, choice)
    stopped_by = diagnosis.stopped_by or choice.stopped_by
    drops: list[Drop] = []
    moves: list[Shift] = []
    if status is not Status.SAT_NO_RELAXATION:
        listed = alternatives(case, top, order)
        if choice.dropped is not None:
            listed = [choice.dropped, *(one for one in listed if one != choice.dropped)][:top]
        drops, moves = _look(case, listed, top)
        stopped_by = stopped_by or case.cheapest.stopped_by
    dropped = frozenset[int]()
    if status is Status.SAT_AFTER_RELAXATION and choice.dropped is not None:
        dropped = choice.dropped
    ranked = NOTHING
    if status in (Status.SAT_NO_RELAXATION, Status.SAT_AFTER_RELAXATION):
        ranked = case.rows.rank(dropped, case.count_without(dropped), top)
    near = Closest(NOTHING.places, NOTHING.scores)
    if diagnosis.verdict is Verdict.UNSAT:
        near = case.rows.closest(top)
    return Found(case, diagnosis, status, dropped, drops, moves, ranked, near, stopped_by)


def _look(case: Case, listed: Sequence[frozenset[int]], top: int) -> tuple[list[Drop], list[Shift]]:
    probes = probes_for(case, listed)
    results = case.rows.probe(probes)
    drops = [
        Drop(probe.changed, case.count_without(probe.changed), result.first)
        for probe, result in zip(probes[: len(listed)], results, strict=False)
        if result.first is not None
    ]
    return drops, shifts(case, probes, results, top) if case.histogram.complete else []


def answer(found: Found, policy: str, started: float) -> Answer:
    """Return the answer to what was found; `started` is when the question came, by
    `time.perf_counter`."""
    case, diagnosis, dropped = found.case, found.diagnosis, found.dropped
    kept = frozenset(range(case.width)) - dropped
    proven = found.status is Status.SAT_NO_RELAXATION and diagnosis.histogram.complete
    return Answer(
        schema_version=SCHEMA_VERSION,
        status=found.status,
        policy=policy,
        solver=case.solver.name,
        count=found.ranked.count,
        constraints=case.query.constraints,
        conflicts=diagnosis.conflicts,
        base_conflicts=diagnosis.base_conflicts,
        drop_one_counts=diagnosis.drop_one_counts,
        relaxed=relaxed_constraints(case, dropped),
        kept=relaxed_constraints(case, kept),
        hard=(*case.query.base, *relaxed_constraints(case, case.plan.hard)),
        repairs=found.repairs,
        shifts=found.shifts,
        items=items(case, found.ranked, found.rows),
        near_misses=near_misses(case, found.closest, found.rows),
        sql=case.plan.select_without(mask_of(dropped)),
        explanation=_explain(found, policy),
        complete=found.stopped_by is None,
        proven_minimal=proven or (bool(dropped) and is_minimal(case, mask_of(dropped))),
        stopped_by=found.stopped_by,
        catalog_version=case.catalog.version,
        elapsed_ms=(time.perf_counter() - started) * 1e3,
    )


def _explain(found: Found, policy: str) -> str:
    diagnosis, repairs = found.diagnosis, found.repairs
    query, names = found.case.query, found.case.plan.names
    if found.status in (Status.SAT_NO_RELAXATION, Status.UNKNOWN):
        so_far = f" So far: {repairs[0].explanation}." if repairs else ""
        return diagnosis.explanation + so_far
    if not diagnosis.base_rows:
        return explain_empty_base(query, diagnosis.base_conflicts)
    if found.status is Status.UNSAT_EVEN_AFTER_RELAXATION:
        return explain_dead_end(names, diagnosis.conflicts, policy, repairs)
    nearest = next((one for one in found.shifts if not one.dropped), None)
    return explain_relaxation(names, diagnosis.conflicts, repairs[0], nearest)
