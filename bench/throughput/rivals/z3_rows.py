"""Z3: MARCO over the rows themselves, as one assertion, or over their distinct masks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from ....catalogs.sources.loading import TABLE
from ..comparison import Answer, Runner, TimedOut, method, too_long
from ..data import Question
from .duckdb_histogram import mask_of
from .marco import Sets, enumerate_all

MOST_WIDTH = 8
SECONDS_A_TERM = 4e-5
"""What writing down one term took here, by way of Z3's Python API."""


def _too_slow(question: Question, seconds: float) -> str:
    if question.width > MOST_WIDTH:
        return f"the search takes minutes for more than {MOST_WIDTH} constraints"
    rows = question.table.rows if question.base is None else len(question.problem.base_slice)
    foreseen = rows * question.width * SECONDS_A_TERM
    return too_long(foreseen, seconds, f"{rows:,} rows of {question.width} terms")


@method("Z3, rows", needs=("z3",), skip=_too_slow)
def rows_in_z3(stack: ExitStack, question: Question, seconds: float) -> Runner:
    """Return MARCO over one term a row: the conjunction of what the row meets and misses.

    Those terms depend on the constraints, so writing them down is timed with the search;
    evaluating the rows is not. (With terms over the values themselves, as integers, bit vectors
    or row numbers, most single checks of four constraints over 10,000 rows passed 20 s.)
    """
    z3: Any = import_module("z3")
    sql = f"SELECT {mask_of(question.conditions)} FROM {TABLE}{question.where}"
    masks = [row[0] for row in question.catalog.cursor().execute(sql).fetchall()]
    return Runner(lambda: _search_masks(z3, question.width, masks, seconds), answer_of)


@method("Z3, row masks", needs=("z3",))
def masks_in_z3(stack: ExitStack, width: int, masks: Sequence[int], seconds: float) -> Runner:
    """Return MARCO over one term a distinct row mask, which it is given."""
    z3: Any = import_module("z3")
    return Runner(lambda: _search_masks(z3, width, masks, seconds), answer_of)


def _search_masks(z3: Any, width: int, masks: Sequence[int], seconds: float) -> Sets:
    context: Any = z3.Context()
    met = [z3.Bool(f"met{j}", context) for j in range(width)]
    unmet = [z3.Not(condition) for condition in met]
    rows = [z3.And([met[j] if mask >> j & 1 else unmet[j] for j in range(width)]) for mask in masks]
    if not rows:
        return {frozenset()}, set()
    oracle = _Oracle(z3, context, z3.Or(rows), met, seconds)
    return enumerate_all(width, oracle, _Map(z3, context, width), seconds)


def answer_of(sets: Sets) -> Answer:
    """Return conflicts and repairs as an answer."""
    return {"conflicts": sets[0], "repairs": sets[1]}


class _Oracle:
    """A Z3 solver that knows the rows; constraint j is tracked by a Boolean."""

    def __init__(self, z3: Any, context: Any, some_row: Any, met: list[Any], seconds: float):
        self.z3, self.conditions, self.seconds = z3, met, seconds
        self.solver = z3.Solver(ctx=context)
        self.solver.set("timeout", int(seconds * 1000))
        self.solver.add(some_row)
        self.trackers = [z3.Bool(f"t{j}", context) for j in range(len(met))]
        for tracker, condition in zip(self.trackers, met, strict=True):
            self.solver.add(z3.Implies(tracker, condition))
        self.place = {tracker.get_id(): j for j, tracker in enumerate(self.trackers)}

    def satisfiable(self, subset: frozenset[int]) -> bool:
        verdict = self.solver.check([self.trackers[j] for j in sorted(subset)])
        if verdict == self.z3.unknown:
            raise TimedOut(f"did not end in {self.seconds:g} s")
        return verdict == self.z3.sat

    def met(self) -> frozenset[int]:
        return _true(self.z3, self.solver.model(), self.conditions)

    def core(self) -> frozenset[int]:
        return frozenset(self.place[tracker.get_id()] for tracker in self.solver.unsat_core())


class _Map:
    """Unsettled subsets as a Z3 solver that guesses true first, so that it proposes large ones."""

    def __init__(self, z3: Any, context: Any, width: int) -> None:
        self.z3 = z3
        self.inside = [z3.Bool(f"in{j}", context) for j in range(width)]
        self.solver = z3.Solver(ctx=context)
        self.solver.set("phase_selection", 1)
        self.none = z3.BoolVal(False, context)

    def propose(self) -> frozenset[int] | None:
        if self.solver.check() != self.z3.sat:
            return None
        return _true(self.z3, self.solver.model(), self.inside)

    def settle(self, members: frozenset[int], *, inside: bool) -> None:
        literals = [self.inside[j] for j in sorted(members)]
        literals = [self.z3.Not(literal) for literal in literals] if inside else literals
        self.solver.add(self.z3.Or([self.none, *literals]))


def _true(z3: Any, model: Any, conditions: list[Any]) -> frozenset[int]:
    return frozenset(
        j
        for j, condition in enumerate(conditions)
        if z3.is_true(model.eval(condition, model_completion=True))
    )
