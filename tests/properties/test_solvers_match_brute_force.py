"""Histograms, conflicts and repairs of every built-in solver equal the twin's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings

from concede.catalogs.vectors import kernel_use
from concede.solvers import kernels
from concede.solvers.histogram import MaskHistogram
from concede.solvers.limits import Budget, Verdict
from concede.solvers.minimal_sets import MinimalSets, minimal_sets
from concede.solvers.problem import Problem
from concede.solvers.registry import get_solver
from concede.solvers.solver import Solver
from example_counts import examples
from random_problems import RandomProblem, exact, problems
from twins import Twin

PROBLEMS = examples(500)
Z3_PROBLEMS = examples(100)
GROUPED = examples(200)
RELAXED = [HealthCheck.too_slow, HealthCheck.data_too_large]
FOREVER = Budget(deadline=None)


def judged_on(count: int, judge: Callable[[RandomProblem, Twin], None]) -> int:
    """Call the judge on random problems and their twins; return how many there were."""
    problems_judged = 0

    @settings(max_examples=count, suppress_health_check=RELAXED)
    @given(problems())
    def check(problem: RandomProblem) -> None:
        nonlocal problems_judged
        judge(problem, problem.twin())
        problems_judged += 1

    check()
    return problems_judged


def judge_histogram(histogram: MaskHistogram, twin: Twin) -> None:
    masks = [int(mask) for mask in histogram.masks]
    counts = [int(count) for count in histogram.counts]
    assert list(zip(masks, counts, strict=True)) == list(twin.masks().items())
    assert histogram.complete
    assert histogram.width == twin.width
    assert histogram.rows == sum(counts)
    assert list(histogram.drop_one_counts()) == twin.drop_one()
    satisfiable = twin.count(twin.everything) > 0
    assert histogram.verdict is (Verdict.SAT if satisfiable else Verdict.UNSAT)


def judge_counts(histogram: MaskHistogram, twin: Twin) -> None:
    assert {subset: histogram.count(subset) for subset in twin.counts} == twin.counts


def judge_sets(sets: MinimalSets, twin: Twin) -> None:
    assert list(sets.conflicts) == twin.conflicts
    assert list(sets.repairs) == twin.repairs
    assert list(sets.maximal) == [twin.everything - repair for repair in twin.repairs]
    assert sets.complete


def judge_cheapest(
    solver: Solver, histogram: MaskHistogram, twin: Twin, prices: list[float]
) -> None:
    expected = [(repair, float(cost)) for repair, cost in twin.cheapest(exact(prices))]
    for top in (2, 2**histogram.width):
        cheapest = solver.cheapest_repairs(histogram, prices, top, FOREVER)
        assert [(repair.dropped, repair.cost) for repair in cheapest.repairs] == expected[:top]
        assert cheapest.stopped_by is None


def judge(solver: Solver, problem: Problem, twin: Twin, prices: list[float]) -> MaskHistogram:
    """Compare all a solver says about a problem with the twin."""
    histogram = solver.histogram(problem, FOREVER)
    judge_histogram(histogram, twin)
    judge_sets(solver.minimal_sets(histogram, FOREVER), twin)
    judge_cheapest(solver, histogram, twin, prices)
    return histogram


def judge_kernels(problem: Problem, twin: Twin) -> None:
    """The same on all kernels of `bitset`, which small catalogs do not take."""
    solver = get_solver("bitset")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_use, "KERNEL_ROWS", -1)
        judge_histogram(solver.histogram(problem, FOREVER), twin)
        patch.setattr(kernels, "SUBSET_WIDTH", -1)
        judge_histogram(solver.histogram(problem, FOREVER), twin)
        patch.setattr(kernels, "BYTE_WIDTH", -1)
        judge_histogram(solver.histogram(problem, FOREVER), twin)
        patch.setattr(kernels, "DENSE_WIDTH", -1)
        judge_histogram(solver.histogram(problem, FOREVER), twin)


def test_bitset_sql_and_brute_equal_twin():
    # Side by side, since drawing a problem costs more than solving it.
    judged: Counter[str] = Counter()

    def by_each(problem: RandomProblem, twin: Twin) -> None:
        bound, prices = problem.bound(), problem.prices()
        for name in ("bitset", "sql", "brute"):
            histogram = judge(get_solver(name), bound, twin, prices)
            judged[name] += 1
        judge_counts(histogram, twin)
        judge_sets(minimal_sets(histogram, FOREVER, lattice_width=-1), twin)
        judge_kernels(bound, twin)
        judged["kernels"] += 1

    assert judged_on(PROBLEMS, by_each) >= PROBLEMS
    assert min(judged.values()) >= PROBLEMS
    assert len(judged) == 4


def test_z3_equals_twin():
    solver = get_solver("z3")

    def on_z3(problem: RandomProblem, twin: Twin) -> None:
        judge(solver, problem.bound(), twin, problem.prices())

    assert judged_on(Z3_PROBLEMS, on_z3) >= Z3_PROBLEMS


def test_groups_give_way_together():
    solver = get_solver("bitset")

    def grouped(problem: RandomProblem, twin: Twin) -> None:
        groups, each = problem.query.groups, problem.prices()
        prices = [max(each[j] for j in group) for group in groups]
        by_unit = solver.histogram(problem.bound(), FOREVER).by_unit(groups)
        together = twin.by_unit(groups)
        judge_histogram(by_unit, together)
        judge_sets(solver.minimal_sets(by_unit, FOREVER), together)
        judge_cheapest(solver, by_unit, together, prices)

    assert judged_on(GROUPED, grouped) >= GROUPED
