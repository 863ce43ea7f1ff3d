"""Kernels and both readings of the `bitset` solver against NumPy, at the borders of chunks."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.deadline import NEVER, Deadline
from concede.catalogs.query.schema import Schema
from concede.catalogs.vectors import kernel_use, numba_kernel
from concede.catalogs.vectors.row_set import CHUNK_ROWS, RowSet
from concede.catalogs.versions.base_slice import BaseSlice
from concede.engine.ranking import (
    distance_kernels as row_distance_kernels,
)
from concede.engine.ranking import (
    kernels as row_kernels,
)
from concede.engine.ranking import (
    score_kernels as row_score_kernels,
)
from concede.solvers import kernels, mask_counting, maximal_histogram, minimal_sets
from concede.solvers import problem as solver_problem
from concede.solvers.bitset import BitsetSolver, count_all
from concede.solvers.histogram import MaskHistogram
from concede.solvers.limits import Budget, Verdict
from concede.solvers.problem import Problem
from counted_looks import ends_after

FOREVER = Budget(deadline=None)
BORDERS = [1, 63, 64, 65, CHUNK_ROWS - 1, CHUNK_ROWS, CHUNK_ROWS + 1, 3 * CHUNK_ROWS + 7]


class Numbered(int):
    """A predicate that is a number: no column tells its rows."""

    test = None


def problem_of(base: np.ndarray, met: np.ndarray) -> Problem:
    """A problem of given rows: base bool[n], met bool[k, n]; predicates are numbers."""
    sets = [RowSet.of_truth(entry) for entry in met]
    universe = RowSet.of_truth(base)

    def write(predicate: Any, words: np.ndarray, until: Deadline) -> None:
        until.check()
        words[:] = sets[predicate].flat[: len(words)]

    evaluator = SimpleNamespace(seconds_for=lambda predicate: 0.0, write=write)
    catalog: Any = SimpleNamespace(
        rows=lambda predicate, until=NEVER: until.check() or sets[predicate],
        row_count=len(base),
        universe=len(base),
        schema=Schema(()),
        evaluator=evaluator,
    )
    catalog.base_slice = lambda predicates, until=NEVER: BaseSlice(catalog, universe)
    predicates: Any = tuple(map(Numbered, range(len(met))))
    return Problem(catalog, (), predicates, (), predicates)


def expected(base: np.ndarray, met: np.ndarray) -> tuple[list[int], list[int]]:
    """Distinct masks and counts, row by row in NumPy."""
    masks = np.zeros(len(base), dtype=np.uint64)
    for bit, one in enumerate(met):
        masks += one.astype(np.uint64) << np.uint64(bit)
    distinct, counts = np.unique(masks[base], return_counts=True)
    return distinct.tolist(), counts.tolist()


def found(histogram: MaskHistogram) -> tuple[list[int], list[int]]:
    assert histogram.complete
    order = np.argsort(histogram.masks)
    return histogram.masks[order].tolist(), histogram.counts[order].tolist()


def random_rows(seed: int, width: int, rows: int) -> np.ndarray:
    return np.random.default_rng(seed).random((width, rows)) < 0.6


@pytest.fixture(params=["numpy", "kernels"])
def reading(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(kernel_use, "KERNEL_ROWS", 2**60 if request.param == "numpy" else -1)
    return request.param


@pytest.mark.parametrize("rows", BORDERS)
@pytest.mark.parametrize("width", [0, 1, 7, 8, 9, 16, 17, 64])
def test_every_width_at_the_borders_of_chunks(reading: str, rows: int, width: int):
    met, base = random_rows(1, width, rows), random_rows(2, 1, rows)[0]
    for entry in (base, np.ones(rows, dtype=bool), np.zeros(rows, dtype=bool)):
        assert found(BitsetSolver().histogram(problem_of(entry, met), FOREVER)) == expected(
            entry, met
        )


@pytest.mark.parametrize("width", [3, 20])
def test_one_row_in_each_of_many_chunks(reading: str, width: int):
    rows = 40 * CHUNK_ROWS
    base = np.zeros(rows, dtype=bool)
    base[5 * CHUNK_ROWS - 1 :: 2 * CHUNK_ROWS] = True
    base[17 * CHUNK_ROWS] = True
    met = random_rows(3, width, rows)
    assert found(BitsetSolver().histogram(problem_of(base, met), FOREVER)) == expected(base, met)


def test_the_highest_bit_alone(reading: str):
    met = np.zeros((64, 100), dtype=bool)
    met[63] = True
    histogram = BitsetSolver().histogram(problem_of(np.ones(100, dtype=bool), met), FOREVER)
    assert found(histogram) == ([1 << 63], [100])
    met[:] = True
    histogram = BitsetSolver().histogram(problem_of(np.ones(100, dtype=bool), met), FOREVER)
    assert found(histogram) == ([2**64 - 1], [100])
    assert histogram.verdict is Verdict.SAT


@pytest.mark.parametrize("width", [2, 12, 20])
def test_runs_and_empty_chunks(reading: str, width: int):
    rows = 6 * CHUNK_ROWS
    met = np.zeros((width, rows), dtype=bool)
    for position in range(width):
        met[position, CHUNK_ROWS - position : (2 + position % 3) * CHUNK_ROWS + position] = True
    base = np.ones(rows, dtype=bool)
    base[CHUNK_ROWS : 2 * CHUNK_ROWS] = False
    assert found(BitsetSolver().histogram(problem_of(base, met), FOREVER)) == expected(base, met)


def test_small_slices_are_read_by_their_own_numbers():
    base = np.zeros(8 * CHUNK_ROWS, dtype=bool)
    base[3 * CHUNK_ROWS - 5 : 3 * CHUNK_ROWS + 90] = True
    problem = problem_of(base, random_rows(4, 2, len(base)))
    assert problem.stack.shape == (2, 2)


@pytest.mark.parametrize("rows", [*BORDERS, 0])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 9])
def test_counting_in_several_sets(rows: int, count: int):
    met = np.random.default_rng(rows).random((count, rows)) < 0.8
    sets = [RowSet.of_truth(entry).flat for entry in met]
    assert count_all(sets) == met.all(axis=0).sum()


def test_counting_needs_a_set():
    with pytest.raises(ValueError, match="at least one"):
        count_all([])


@given(st.integers(0, 9), st.data())
def test_the_lattice_by_kernels_equals_the_lattice_by_numpy(width: int, data: st.DataObject):
    masks = data.draw(st.lists(st.integers(0, 2**width - 1), unique=True, max_size=40))
    masks = np.array(sorted(masks), dtype=np.uint64)
    histogram = MaskHistogram(width, masks, np.arange(1, len(masks) + 1))
    sums = histogram.subset_counts
    assert sums.tolist() == [histogram.count_mask(subset) for subset in range(2**width)]
    feasible = minimal_sets.feasible_subsets(histogram)
    assert feasible.tolist() == (sums > 0).tolist()
    by_kernels = minimal_sets.extremes(replace(histogram, by_kernels=True), NEVER)
    by_numpy = minimal_sets.extremes(histogram, NEVER)
    for one, other in zip(by_kernels[:2], by_numpy[:2], strict=True):
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize("width", [4, 12, 18, 22])
def test_a_deadline_between_batches_leaves_lower_bounds(
    monkeypatch: pytest.MonkeyPatch, width: int
):
    monkeypatch.setattr(kernel_use, "KERNEL_ROWS", -1)
    for counting in ("TableCounting", "WideTableCounting", "HashCounting"):
        monkeypatch.setattr(getattr(mask_counting, counting), "step", CHUNK_ROWS // 64)
    # Every mask is counted.
    monkeypatch.setattr(maximal_histogram, "MOST_WORDS", 0)
    # Time is never ample at a glance.
    monkeypatch.setattr(solver_problem, "SECONDS_ELSEWHERE", 1.0)
    met, base = random_rows(5, width, 3 * CHUNK_ROWS), np.ones(3 * CHUNK_ROWS, dtype=bool)
    # One look when the budget begins and one whether time is short, none before constraints that
    # cost nothing and the first piece, one before the second; one more clears a hash table or asks
    # whether a large one is worth while.
    budget = ends_after(4 if width > 16 else 3)
    histogram = BitsetSolver().histogram(problem_of(base, met), budget)
    assert histogram.stopped_by == "deadline"
    assert histogram.rows == 2 * CHUNK_ROWS
    masks, counts = expected(base[: 2 * CHUNK_ROWS], met[:, : 2 * CHUNK_ROWS])
    order = np.argsort(histogram.masks)
    found = histogram.masks[order].tolist(), histogram.counts[order].tolist()
    assert found == (masks, counts)
    proven = Verdict.SAT if met.all(axis=0).any() else Verdict.UNSAT
    assert histogram.verdict is proven
    wanted = (1 << width // 2) - 1
    meeting = np.flatnonzero(met[: width // 2, : 2 * CHUNK_ROWS].all(axis=0))
    assert histogram.witness(wanted) == meeting[0]


def test_a_deadline_before_the_constraints_reads_nothing():
    met, base = random_rows(6, 3, 10), np.ones(10, dtype=bool)
    histogram = BitsetSolver().histogram(problem_of(base, met), Budget(deadline=0.0))
    assert histogram.stopped_by == "deadline"
    assert histogram.rows == 0
    assert histogram.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("width", [6, 20])
def test_threads_agree(monkeypatch: pytest.MonkeyPatch, width: int):
    monkeypatch.setattr(kernel_use, "KERNEL_ROWS", -1)
    met, base = random_rows(7, width, 5 * CHUNK_ROWS), random_rows(8, 1, 5 * CHUNK_ROWS)[0]
    problem, wanted = problem_of(base, met), expected(base, met)
    with ThreadPoolExecutor(8) as pool:
        answers = pool.map(lambda _: BitsetSolver().histogram(problem, FOREVER), range(24))
        assert all(found(answer) == wanted for answer in answers)


def test_kernels_release_the_interpreter():
    modules = (kernels, row_kernels, row_distance_kernels, row_score_kernels)
    everything = [value for module in modules for value in vars(module).values()]
    compiled = [value for value in everything if hasattr(value, "targetoptions")]
    assert len(compiled) > 10
    assert all(entry.targetoptions["nogil"] for entry in compiled)


def test_kernels_work_where_nothing_can_be_cached(monkeypatch: pytest.MonkeyPatch):
    real = numba_kernel.njit

    def refusing(*, cache: bool = False, **options: object):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return real(**options)

    monkeypatch.setattr(numba_kernel, "njit", refusing)
    monkeypatch.setattr(numba_kernel, "DECLARED", [])

    def successor(number: int) -> int:
        return number + 1

    assert numba_kernel.kernel("i8")(successor)(3) == 4


SMALL = """
import sys
import pyarrow as pa
from concede import Catalog, Constraint, Query, RepairEngine
catalog = Catalog.open(pa.table({f"c{j}": [1.0, 2.0, 3.0] for j in range(12)}))
asked = [Constraint(column=f"c{j}", op=">", value=3 - j % 4) for j in range(12)]
assert RepairEngine(catalog).repair(Query(constraints=asked)).to_json()
print("numba" in sys.modules)
"""


def test_a_small_catalog_never_loads_the_kernels():
    command = [sys.executable, "-c", SMALL]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"
