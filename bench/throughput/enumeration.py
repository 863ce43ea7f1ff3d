"""Section: all conflicts and all repairs of a tight case, computed from its row masks."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

from ...solvers.histogram import MaskHistogram
from ...solvers.limits import Budget
from ...solvers.minimal_sets import MinimalSets, maximal_masks
from ...solvers.registry import get_solver
from .comparison import OURS, Answer, Case, Comparison, Runner, method, renewing
from .data import Question, shares_of
from .report import Cell
from .rivals.cpmpy_marco import cpmpy_method
from .rivals.ours import MOST_SETS
from .rivals.pysat_enumeration import pysat_methods
from .rivals.z3_rows import masks_in_z3
from .setting import Job, Setting

ROWS = 10_000
SHARE = 0.2

TITLE = "Enumeration of a tight case"
NOTE = (
    "All conflicts (MUS) and repairs (MCS) of 10,000 rows where every predicate keeps 20 % of "
    "uniform independent columns and no row meets all. Everybody is given the distinct row "
    "masks. `maximal masks` are given only the maximal ones among them, which is most of the "
    "way to the repairs."
)


def jobs(setting: Setting) -> list[Job]:
    """Return one job a number of constraints."""
    widths = (10,) if setting.options.quick else (12, 16)
    return [partial(cell, setting, width) for width in widths]


def cell(setting: Setting, width: int) -> Cell:
    """Return the comparison over so many constraints."""
    question = Question(setting.table(ROWS, 16), shares_of(SHARE, width))
    budget = Budget(None, MOST_SETS)
    histogram = get_solver("bitset").histogram(question.problem, budget)
    masks: list[int] = histogram.masks.tolist()
    maximal = [int(mask) for mask in maximal_masks(histogram.masks, budget)[0]]
    patience = setting.options.patience
    methods = [
        _ours(histogram),
        *pysat_methods(width, masks, "row masks", patience),
        *pysat_methods(width, maximal, "maximal masks", patience),
        cpmpy_method(width, masks, patience),
        masks_in_z3(width, masks, patience),
    ]
    sets = get_solver("bitset").minimal_sets(histogram, budget)
    case: Case = {
        "rows": ROWS,
        "k": width,
        "density": SHARE,
        "row masks": len(masks),
        "conflicts": len(sets.conflicts),
        "repairs": len(sets.repairs),
    }
    selectivity = question.selectivity(histogram.count_mask(histogram.full))
    return Comparison(case, methods, selectivity).run(setting.options.pace)


@method(OURS)
def _ours(stack: ExitStack, histogram: MaskHistogram) -> Runner:
    solver = get_solver("bitset")

    def call(histogram: MaskHistogram) -> MinimalSets:
        return solver.minimal_sets(histogram, Budget(None, MOST_SETS))

    # A histogram keeps the counts of all subsets once they are known.
    return renewing(lambda: replace(histogram), call, _answer, histogram.masks.nbytes)


def _answer(sets: Any) -> Answer:
    return {"conflicts": set(sets.conflicts), "repairs": set(sets.repairs)}
