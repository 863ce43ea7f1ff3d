"""What is done whatever the time, since it costs little: verdict, conflict, one item."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count

import numpy as np
import pyarrow as pa
import pytest

from concede import Constraint, Query, RepairEngine, Status
from concede.catalogs.catalog import Catalog
from concede.catalogs.deadline import Deadline, DeadlinePassed
from concede.catalogs.vectors import kernel_use
from concede.catalogs.versions.snapshot_state import WARM_READS, ColumnIndexes
from concede.engine import repair_engine
from concede.engine.ranking import kernel_ranking, near_ranking, pieces
from concede.solvers import brute
from concede.solvers.bitset import BitsetSolver
from concede.solvers.brute import BruteSolver
from concede.solvers.limits import Budget, Verdict
from concede.solvers.piecewise import read_piecewise
from concede.solvers.problem import bind_problem
from counted_looks import ends_after

ROWS = 70_000
WIDTH = 6


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (pieces, kernel_ranking, near_ranking):
        monkeypatch.setattr(module, "PIECE_WORDS", 1)


@pytest.fixture
def catalog() -> Iterator[Catalog]:
    dice = np.random.default_rng(11)
    columns = {f"c{i}": dice.random(ROWS) for i in range(WIDTH)}
    # The last row alone meets `c ≤ 0.01` of every column.
    for values in columns.values():
        values[-1] = 0.001
    with Catalog.open(pa.table(columns)) as opened:
        yield opened


def asked(bound: float) -> list[Constraint]:
    return [Constraint(column=f"c{i}", op="<=", value=bound) for i in range(WIDTH)]


def in_time(monkeypatch: pytest.MonkeyPatch, looks: int) -> None:
    ticks = count()
    clock = partial(lambda: 0.0 if next(ticks) < looks else 10.0)
    monkeypatch.setattr(repair_engine, "Budget", partial(Budget, clock=clock))


@pytest.mark.parametrize("looks", [4, 6, 9, 15])
@pytest.mark.parametrize("bound", [0.01, 0.0005])
def test_a_warm_catalog_has_a_verdict_a_conflict_and_an_item(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, bound: float, looks: int
):
    monkeypatch.setattr(kernel_use, "KERNEL_ROWS", -1)
    engine = RepairEngine(catalog, threads=1)
    engine.repair(Query(constraints=asked(0.02)), deadline=None)
    in_time(monkeypatch, looks)
    answer = engine.repair(Query(constraints=asked(bound)), deadline=1.0)
    assert answer.stopped_by == "deadline"
    assert answer.items
    if bound == 0.01:
        assert answer.status is Status.SAT_NO_RELAXATION
    else:
        assert answer.status is Status.SAT_AFTER_RELAXATION
        assert answer.conflicts


@pytest.mark.parametrize("looks", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("bound", [0.01, 0.0005])
def test_a_cold_catalog_has_a_verdict_and_a_repair(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, bound: float, looks: int
):
    engine = RepairEngine(catalog, threads=1)
    in_time(monkeypatch, looks)
    answer = engine.repair(Query(constraints=asked(bound)), deadline=0.03)
    assert answer.stopped_by == "deadline"
    if bound == 0.01:
        assert answer.status is Status.SAT_NO_RELAXATION
    else:
        assert answer.status is Status.SAT_AFTER_RELAXATION
        assert answer.repairs


def test_rows_in_memory_are_found_whatever_the_time(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(kernel_use, "KERNEL_ROWS", -1)
    for number in range(WIDTH):
        catalog.numbers(f"c{number}")
    problem = bind_problem(catalog, [], asked(0.0005))
    histogram = BitsetSolver().histogram(problem, ends_after(2))
    assert problem.is_read
    assert histogram.verdict is Verdict.UNSAT


def test_duckdb_compares_few_columns_whatever_the_time(catalog: Catalog):
    for bound, verdict in ((0.01, Verdict.SAT), (0.0005, Verdict.UNSAT)):
        problem = bind_problem(catalog, [], asked(bound))
        histogram = read_piecewise(problem, ends_after(5), by_kernels=False)
        assert histogram.stopped_by == "deadline"
        assert histogram.verdict is verdict
    problem = bind_problem(catalog, [], asked(0.0005))
    hurried = Budget(0.005, clock=partial(next, iter([0.0, 0.0, *[0.004] * 4, *[9.0] * 99])))
    assert read_piecewise(problem, hurried, by_kernels=False).verdict is Verdict.UNKNOWN


def test_columns_are_copied_for_the_rows_shown_only_where_there_is_time(catalog: Catalog):
    snapshot = catalog.snapshot()
    store = snapshot.vectors.store
    assert snapshot.fetch([]) == []
    assert snapshot.reads.fetches == 0
    snapshot.reads.fetches = WARM_READS
    late = snapshot.fetch([3], Deadline(1e-4))
    assert not store.holds("c0")
    assert late == snapshot.fetch([3])
    assert store.holds("c0")


def test_no_index_is_made_late_for_the_ends_of_a_slice(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(kernel_use, "KERNEL_ROWS", -1)
    monkeypatch.setattr(ColumnIndexes, "is_due", lambda self, name: True)
    half = Constraint(column="c1", op="<=", value=0.5)
    snapshot = catalog.snapshot()
    base = bind_problem(catalog, [half], []).slice
    late = base.ends("c0", Deadline(1e-4))
    assert not snapshot.vectors.has_index("c0")
    base._ends.clear()
    assert base.ends("c0") == late
    assert snapshot.vectors.has_index("c0")


def test_brute_fetches_some_rows_between_two_looks(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(brute, "FETCHED", 8)
    problem = bind_problem(catalog, [], asked(0.01))
    histogram = BruteSolver().histogram(problem, ends_after(20))
    assert histogram.stopped_by == "deadline"
    assert histogram.rows <= 20
    assert problem.catalog.reads.fetches <= 3


def test_what_is_done_whatever_the_time_knows_the_time():
    until = Deadline(0.0).whatever_the_time()
    assert list(until.pieces(9, 2)) == [(0, 2), (2, 4), (4, 6), (6, 8), (8, 9)]
    assert not until.remaining
    with pytest.raises(DeadlinePassed):
        Deadline(0.0).check()


def test_kernels_are_waited_for_before_the_clock_starts(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
):
    told: list[str] = []
    monkeypatch.setattr(repair_engine, "await_kernels", lambda rows: told.append("kernels"))

    def budget(*args: object, **options: object) -> Budget:
        told.append("clock")
        return Budget(None)

    monkeypatch.setattr(repair_engine, "Budget", budget)
    engine = RepairEngine(catalog, threads=1)
    query = Query(constraints=asked(0.01))
    engine.check(query)
    engine.diagnose(query)
    engine.repair(query)
    assert told == ["kernels", "clock"] * 3
