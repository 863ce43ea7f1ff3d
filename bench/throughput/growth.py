"""Sections: cost by the number of constraints, and by the number of rows, with memory.

Each number of rows is measured by a process of its own, whose peak memory is read from /proc.
"""

from __future__ import annotations

import multiprocessing
import re
import resource
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from ...engine.diagnosis import Diagnosis
from ...engine.repair_engine import RepairEngine
from ...solvers.histogram import MaskHistogram
from ...solvers.limits import Budget
from ...solvers.registry import get_solver
from .comparison import OURS, Case, Comparison, Method, Runner
from .data import Question, Table, shares_of
from .report import Cell
from .rivals.duckdb_histogram import computed_mask, stored_mask
from .rivals.ours import MOST_SETS, ours
from .setting import LARGE_ROWS, Job, Setting
from .timings import Pace

ROWS = 1_000_000
SPARSE_ROWS = 10_000
SPARSE_SHARE = 0.005
DENSITY = 0.3
WIDTH = 8

WIDTH_TITLE = "Growth with the number of constraints"
WIDTH_NOTE = (
    "The mask histogram alone over 10⁶ rows of 30 % up to k = 16, and full diagnoses on sparse "
    "masks (10⁴ rows, every predicate keeps 0.5 %) up to k = 64. Nobody else takes part: the "
    "grid compares."
)
ROWS_TITLE = "Growth with the number of rows"
ROWS_NOTE = (
    "Full diagnoses of eight constraints of 30 %, warm, each size in a process of its own. Peak "
    "memory is that of the whole process, drawing the data and all, above what it needs before "
    "it opens a catalog, before any rival starts. The fit is least squares of the medians over "
    "the rows, relative errors "
    "weighing the same."
)


def width_jobs(setting: Setting) -> list[Job]:
    """Return the jobs of the histogram, then those of the diagnosis on sparse masks."""
    quick = setting.options.quick
    dense = (2, 4, 8, 12, 16) if quick else (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
    sparse = (8, 16, 32) if quick else (8, 16, 24, 32, 40, 48, 56, 64)
    return [
        *(partial(_histogram_cell, setting, width) for width in dense),
        *(partial(_sparse_cell, setting, width) for width in sparse),
    ]


def _histogram_cell(setting: Setting, width: int) -> Cell:
    question = Question(setting.table(ROWS, 16), shares_of(DENSITY, width))
    solver, problem = get_solver("bitset"), question.problem
    runner = Runner(lambda: solver.histogram(problem, Budget(None)), bytes=question.words_bytes)
    return _ours_alone(setting, question, "histogram", runner, runner.call())


def _sparse_cell(setting: Setting, width: int) -> Cell:
    question = Question(setting.table(SPARSE_ROWS, 64), shares_of(SPARSE_SHARE, width))
    solver = get_solver("bitset")
    histogram = solver.histogram(question.problem, Budget(None))
    sets = solver.minimal_sets(histogram, Budget(None, MOST_SETS))
    engine = RepairEngine(question.catalog)
    prepared = engine.prepare(question.query)

    def call() -> Diagnosis:
        # Without the counts: nobody counts all 2⁶⁴ subsets of 64 constraints.
        return engine.diagnose(prepared, deadline=None, limit=MOST_SETS)

    runner = Runner(call, bytes=question.words_bytes)
    listed = {"conflicts": len(sets.conflicts), "repairs": len(sets.repairs)}
    return _ours_alone(setting, question, "diagnosis", runner, histogram, **listed)


def _ours_alone(
    setting: Setting,
    question: Question,
    kind: str,
    runner: Runner,
    histogram: MaskHistogram,
    **listed: int,
) -> Cell:
    """Return the times of ours alone; the figures are the sizes of histogram and listed sets."""
    rows, density = question.table.rows, question.shares[0]
    case: Case = {"of": kind, "rows": rows, "k": question.width, "density": density}
    sizes = {"row masks": len(histogram.masks), **listed}
    figures = {name: float(size) for name, size in sizes.items()}
    selectivity = question.selectivity(histogram.count_mask(histogram.full))
    ours_alone = Method(OURS, lambda stack: runner)
    return Comparison(case, [ours_alone], selectivity, figures).run(setting.options.pace)


def rows_jobs(setting: Setting) -> list[Job]:
    """Return one job a size, and the fit over all of them last."""
    options = setting.options
    setting.forget()
    sizes = [10_000, 100_000, 1_000_000] if options.quick else [10**n for n in (4, 5, 6, 7)]
    if options.large:
        sizes.append(LARGE_ROWS)
    cells: list[Cell] = []

    def measure(rows: int) -> Cell:
        setting.forget()
        cells.append(in_own_process(rows, options.seed, options.pace))
        return cells[-1]

    return [*(partial(measure, rows) for rows in sizes), lambda: _fit_cell(cells)]


def in_own_process(rows: int, seed: int, pace: Pace) -> Cell:
    """Return the cell of a size, measured by a fresh process that then ends."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return Cell.model_validate_json(pool.submit(diagnosed, rows, seed, pace).result())


def diagnosed(rows: int, seed: int, pace: Pace) -> str:
    """Return the cell of a size as JSON; `figures` are bytes above those at the start."""
    at_start = resident_bytes()
    question = Question(Table(rows, WIDTH, seed), shares_of(DENSITY, WIDTH))
    case = {"rows": rows, "k": WIDTH, "density": DENSITY, "state": "warm"}
    matching = question.catalog.count(question.problem.predicates)
    RepairEngine(question.catalog).diagnose(question.query, deadline=None)
    peak = peak_bytes() - at_start
    methods = [ours(question, cold=False), stored_mask(question), computed_mask(question)]
    cell = Comparison(case, methods, question.selectivity(matching)).run(pace)
    figures = {"peak memory": float(peak), "bytes a row": peak / rows}
    return cell.model_copy(update={"figures": figures}).model_dump_json()


def _fit_cell(cells: Sequence[Cell]) -> Cell:
    rows = [float(cell.case["rows"]) for cell in cells]
    medians = [cell.results[0].median_ms or 0.0 for cell in cells]
    slope, intercept, r_squared = linear_fit(rows, medians)
    figures = {"ns a row": slope * 1e6, "ms at no rows": intercept, "R²": r_squared}
    return Cell(case={"of": "linear fit"}, figures=figures)


def linear_fit(rows: Sequence[float], medians: Sequence[float]) -> tuple[float, float, float]:
    """Return slope, intercept and R² of medians over rows, weighted by 1 / median².

    Unweighted, the largest size alone would decide. R² is that of the unweighted residuals
    (Willett and Singer 1988).
    """
    x, y = np.asarray(rows), np.asarray(medians)
    slope, intercept = map(float, np.polyfit(x, y, 1, w=1.0 / y))
    residual = np.square(y - slope * x - intercept).sum()
    spread = np.square(y - y.mean()).sum()
    return slope, intercept, float(1.0 - residual / spread)


STATUS = Path("/proc/self/status")


def resident_bytes() -> int:
    """Return the bytes held now; on systems that do not tell, the most held so far."""
    return _status("VmRSS") or peak_bytes()


def peak_bytes() -> int:
    """Return the most bytes this process has held."""
    # Linux starts ru_maxrss at the parent's where a process was forked, VmHWM at its own.
    measured = _status("VmHWM")
    if measured is not None:
        return measured
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _status(name: str) -> int | None:
    try:
        match = re.search(rf"{name}:\s*(\d+) kB", STATUS.read_text(encoding="ascii"))
    except OSError:
        return None
    return int(match[1]) * 1024 if match else None
