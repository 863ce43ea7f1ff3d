"""Parts of a reading shared by threads: each is taken once, whoever takes it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from itertools import chain, count

import numpy as np
import pytest

from concede import Constraint, Query, RepairEngine
from concede.catalogs.catalog import Catalog
from concede.catalogs.deadline import NEVER, Deadline, DeadlinePassed
from concede.catalogs.errors import QueryError
from concede.catalogs.vectors import kernel_use
from concede.solvers import bitset, mask_counting, maximal_histogram, parallel_chunks, problem
from concede.solvers.limits import Budget
from concede.solvers.parallel_chunks import TRIED, WORTH_SHARING, available_threads, run_chunks
from concede.solvers.problem import bind_problem


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 7, 400])
def test_every_part_is_taken_once(threads, count):
    results = run_chunks(range(count), list, threads)
    assert 1 <= len(results) <= threads
    assert sorted(part for result in results for part in result) == list(range(count))


def ticking(monkeypatch, seconds: float) -> None:
    """Have every look at the clock come so many seconds after the one before."""
    times = count(0.0, seconds)
    monkeypatch.setattr(parallel_chunks.time, "perf_counter", lambda: next(times))


def test_two_threads_work_at_the_same_time_where_that_is_worth_it(monkeypatch):
    ticking(monkeypatch, WORTH_SHARING)
    both = threading.Barrier(2, timeout=30)

    def work(parts: Iterator[int]) -> int:
        for part in parts:
            if part:
                both.wait()
        return threading.get_ident()

    assert len(set(run_chunks(range(3), work, 2))) == 2


def test_nobody_is_asked_to_help_with_little_work(monkeypatch):
    ticking(monkeypatch, WORTH_SHARING / 100)
    monkeypatch.setattr(parallel_chunks, "_pool", lambda: pytest.fail("asked for help"))
    assert run_chunks(range(100), list, 2) == [list(range(100))]


def test_an_error_of_any_thread_is_raised():
    def work(parts: Iterator[int]) -> None:
        for part in parts:
            if part == 3:
                raise ArithmeticError(part)

    with pytest.raises(ArithmeticError, match="3"):
        run_chunks(range(8), work, 2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_works_on():
    assert sum(map(len, run_chunks(range(9), list, 2))) == 9
    child = os.fork()
    if not child:
        os._exit(0 if sum(map(len, run_chunks(range(9), list, 2))) == 9 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("width", [5, 11])
def test_threads_count_the_same_rows(monkeypatch, width):
    monkeypatch.setattr(mask_counting, "SHARED_COUNT_ROWS", 4_096)
    monkeypatch.setattr(mask_counting, "CHUNK_WORDS", 64)
    monkeypatch.setattr(parallel_chunks, "WORTH_SHARING", 0.0)
    monkeypatch.setattr(parallel_chunks, "TRIED", 0.0)
    monkeypatch.setattr(kernel_use, "KERNEL_ROWS", 0)
    # Every mask is counted.
    monkeypatch.setattr(maximal_histogram, "MOST_WORDS", 0)
    dice = np.random.default_rng(width)
    columns = {f"c{j}": dice.random(70_001) for j in range(width)}
    pa = pytest.importorskip("pyarrow")
    catalog = Catalog.open(pa.table(columns))
    asked = [Constraint(column=name, op="<=", value=0.4) for name in columns]
    problem = bind_problem(catalog, [], asked)
    alone, together = (
        bitset.BitsetSolver().histogram(problem, Budget(None, threads=number)) for number in (1, 3)
    )
    assert alone.masks.tolist() == together.masks.tolist()
    assert alone.counts.tolist() == together.counts.tolist()
    assert alone.rows == 70_001
    late = bitset.BitsetSolver().histogram(problem, Budget(0.0, threads=3))
    assert late.stopped_by == "deadline"


def shared_catalog(monkeypatch) -> tuple[Catalog, list[str]]:
    """Return a warm catalog whose constraints several threads read at once, and its columns."""
    monkeypatch.setattr(problem, "PARALLEL_ROWS", 1)
    monkeypatch.setattr(parallel_chunks, "WORTH_SHARING", 0.0)
    monkeypatch.setattr(parallel_chunks, "TRIED", 0.0)
    monkeypatch.setattr(kernel_use, "KERNEL_ROWS", 0)
    columns = {f"c{j}": np.random.default_rng(j).random(5_000) for j in range(5)}
    catalog = Catalog.open(pytest.importorskip("pyarrow").table(columns))
    catalog.warm()
    return catalog, list(columns)


def test_threads_find_the_same_rows_of_each_constraint(monkeypatch):
    catalog, columns = shared_catalog(monkeypatch)
    asked = [Constraint(column=name, op="<=", value=0.4) for name in columns]
    found = []
    for threads in (1, 3):
        bound = bind_problem(catalog, asked[:1], asked)
        bound.read(NEVER, threads)
        found.append(bound.stack.tolist())
    assert found[0] == found[1]
    with pytest.raises(DeadlinePassed):
        bind_problem(catalog, [], asked[1:]).read(Deadline(0.0), 3)


def test_a_constraint_whose_rows_are_known_keeps_no_thread_from_helping(monkeypatch):
    orders: list[list[int]] = []

    def noted(chunks, work, threads):
        orders.append(list(chunks))
        return run_chunks(chunks, work, threads)

    monkeypatch.setattr(problem, "PARALLEL_ROWS", 1)
    monkeypatch.setattr(problem, "run_chunks", noted)
    monkeypatch.setattr(kernel_use, "KERNEL_ROWS", 0)
    columns = {"n": range(5_000), "t": [str(row % 7) for row in range(5_000)]}
    catalog = Catalog.open(pytest.importorskip("pyarrow").table(columns))
    by_duckdb = Constraint(column="t", op="like", value="%3")
    asked = [by_duckdb, Constraint(column="n", op="<=", value=9)]
    found = []
    for _ in range(3):
        asked[1] = asked[1].changed("<=", asked[1].value + 1)
        bound = bind_problem(catalog, [], asked)
        bound.read(NEVER, 2)
        found.append(int(np.bitwise_count(bound.stack[1]).sum()))
    assert found == [11, 12, 13]
    # While DuckDB had to be asked no other thread was.
    assert orders
    assert all(order == [1, 0] for order in orders)
    assert len(orders) < len(found)


def test_threads_find_the_same_rows_of_a_small_slice(monkeypatch):
    catalog, columns = shared_catalog(monkeypatch)
    base = [Constraint(column="c0", op="<=", value=0.03)]
    asked = [Constraint(column=name, op="<=", value=0.4) for name in columns]
    stacks = []
    for threads in (1, 3):
        bound = bind_problem(catalog, base, asked)
        bound.read(NEVER, threads)
        assert bound.slice.is_compact
        stacks.append(bound.stack.tolist())
    assert stacks[0] == stacks[1]
    with pytest.raises(DeadlinePassed):
        bind_problem(catalog, base, asked[1:]).read(Deadline(0.0), 3)


def test_others_help_as_soon_as_the_rest_is_long(monkeypatch):
    looks = chain([0.0, TRIED / 2], count(1.0))
    monkeypatch.setattr(parallel_chunks.time, "perf_counter", lambda: next(looks))
    helped = threading.Event()

    def work(chunks):
        taken = []
        for chunk in chunks:
            if chunk > 1 and threading.current_thread() is threading.main_thread():
                assert helped.wait(10)
            elif chunk > 1:
                helped.set()
            taken.append(chunk)
        return taken

    parts = run_chunks(range(9), work, 2)
    assert sorted(chunk for part in parts for chunk in part) == list(range(9))
    assert len(parts) == 2


def test_an_engine_uses_the_threads_it_is_given():
    catalog = Catalog.open(pytest.importorskip("pyarrow").table({"a": [1, 2, 3]}))
    assert RepairEngine(catalog).threads == available_threads() >= 1
    assert RepairEngine(catalog, threads=3).threads == 3
    with pytest.raises(QueryError, match="threads is 0"):
        RepairEngine(catalog, threads=0)
    with pytest.raises(QueryError, match="threads is 0"):
        Budget(threads=0)
    query = Query(constraints=(Constraint(column="a", op=">", value=3),))
    engine = RepairEngine(catalog)
    engine.repair_many([query, query], threads=2)
    assert engine.threads == available_threads()
