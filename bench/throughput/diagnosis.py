"""Section: full diagnoses by rows, constraints, density and base slice, first cold and then warm.

The whole grid has 144 cells; tables of up to 10⁷ rows and 16 columns are held one at a time.
"""

from __future__ import annotations

from functools import partial
from itertools import product

from .comparison import Comparison, Method
from .data import BASE_SHARE, SKEWED, Density, Question, shares_of
from .report import Cell
from .rivals import registry
from .rivals.ours import ours
from .setting import Job, Setting

COLUMNS = 16
WIDTHS = (4, 8, 12, 16)
DENSITIES: tuple[Density, ...] = (0.3, 0.01, SKEWED)

TITLE = "Diagnosis"
NOTE = (
    "All conflicts (MUS) and repairs (MCS) of k constraints `c_j <= bound`, over uniform "
    "independent columns, and how many rows each repair lets in. Density is the share of rows each "
    "predicate keeps; skewed runs from 0.9 to 0.001. Cold: bounds nobody has asked for before, so "
    "each predicate is evaluated. Warm: the rows of each predicate are known. Ours, counts: the "
    "count of every subset and no sets; set algebra gives the same, DuckDB every mask with its "
    "count, Z3 conflicts and repairs."
)


def jobs(setting: Setting) -> list[Job]:
    """Return one job for each cell of the grid, by rows, so that one table is held at a time."""
    quick = setting.options.quick
    # The largest first: the section before this one has left its table.
    sizes = (1_000_000, 10_000) if quick else (10_000_000, 1_000_000, 10_000)
    widths = (8,) if quick else WIDTHS
    cells = product(sizes, widths, DENSITIES, (None, BASE_SHARE), ("cold", "warm"))
    return [partial(cell, setting, *settings) for settings in cells]


def cell(
    setting: Setting, rows: int, width: int, density: Density, base: float | None, state: str
) -> Cell:
    """Return one cell of the grid."""
    question = Question(setting.table(rows, COLUMNS), shares_of(density, width), base)
    cold = state == "cold"
    rivals = registry.COLD if cold else registry.WARM
    methods: list[Method] = [ours(question, cold=cold)]
    methods += [rival(question, setting.options.foresight) for rival in rivals]
    case = {
        "rows": rows,
        "k": width,
        "density": density,
        "base": "1%" if base is not None else "all",
        "state": state,
    }
    matching = question.catalog.count(
        [*question.problem.base_predicates, *question.problem.predicates]
    )
    return Comparison(case, methods, question.selectivity(matching)).run(setting.options.pace)
