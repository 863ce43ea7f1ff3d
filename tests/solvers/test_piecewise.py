"""Histograms of a short deadline: right lower bounds, proven verdicts, rows found again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.deadline import NEVER
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.vectors import kernel_use
from concede.solvers import piecewise
from concede.solvers.bitset import BitsetSolver
from concede.solvers.histogram import MaskHistogram
from concede.solvers.limits import Budget, Verdict
from concede.solvers.problem import Problem, bind_problem
from concede.solvers.sql import SqlSolver
from counted_looks import ends_after

ROWS = 6 * 65_536 + 77
FOREVER = Budget(deadline=None)


@pytest.fixture(scope="module")
def catalog() -> Iterator[Catalog]:
    dice = np.random.default_rng(3)
    columns = {f"c{i}": pa.array(dice.random(ROWS)) for i in range(4)}
    columns["n"] = pa.array(dice.integers(0, 9, ROWS), mask=dice.random(ROWS) < 0.1)
    columns["t"] = pa.array(dice.choice(["red", "green", "blue"], ROWS))
    columns["sku"] = pa.array(range(ROWS))
    with Catalog.open(pa.table(columns), key="sku") as opened:
        opened.delete([5, 70_000, ROWS - 1])
        yield opened


BOUNDS = st.sampled_from([1e-6, 0.01, 0.3, 0.6, 0.99])
CONSTRAINTS = st.one_of(
    st.builds(
        lambda column, op, value: Constraint(column=column, op=op, value=value),
        st.sampled_from(["c0", "c1", "c2", "c3"]),
        st.sampled_from(["<=", ">"]),
        BOUNDS,
    ),
    st.builds(lambda value: Constraint(column="n", op="==", value=value), st.integers(0, 10)),
    st.builds(
        lambda value: Constraint(column="t", op="!=", value=value),
        st.sampled_from(["red", "green", "black"]),
    ),
    st.builds(
        lambda value: Constraint(op="sql", value=f"c0 + c1 < {value}"),
        st.sampled_from([0.001, 0.5, 3]),
    ),
)


def fresh(catalog: Catalog, base: list[Constraint], asked: list[Constraint]) -> Problem:
    """A problem over a catalog that knows no row sets."""
    catalog.snapshot().shared.row_sets._entries.clear()
    return bind_problem(catalog, base, asked)


def counted(histogram: MaskHistogram) -> dict[int, int]:
    return dict(zip(histogram.masks.tolist(), histogram.counts.tolist(), strict=True))


def check(partial: MaskHistogram, whole: MaskHistogram, problem: Problem) -> None:
    """What a cut histogram says is true of all rows."""
    everything = counted(whole)
    assert all(0 < count <= everything[mask] for mask, count in counted(partial).items())
    assert partial.verdict in (whole.verdict, Verdict.UNKNOWN)
    if partial.complete:
        assert counted(partial) == everything
    if partial.rows and not (partial.complete and partial.rows_read is None):
        mask = int(partial.masks[0])
        row = partial.witness(mask)
        assert row is not None
        met = [row in problem.catalog.rows(predicate) for predicate in problem.predicates]
        assert all(met[position] for position in range(problem.width) if mask >> position & 1)
        assert row in problem.base_slice


@pytest.mark.parametrize("rows_by_kernels", [65_536, 2**60])
@given(
    st.lists(CONSTRAINTS, max_size=2),
    st.lists(CONSTRAINTS, min_size=1, max_size=6),
    st.integers(1, 60),
)
def test_a_cut_histogram_says_nothing_wrong(
    rows_by_kernels: int, catalog: Catalog, base: list, asked: list, looks: int
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_use, "KERNEL_ROWS", rows_by_kernels)
        # Far more than there is time for, so that the rows are read piece by piece.
        patch.setattr(piecewise, "AMPLE", 10**20)
        budget = ends_after(looks)
        partial = BitsetSolver().histogram(fresh(catalog, base, asked), budget)
        problem = fresh(catalog, base, asked)
        check(partial, BitsetSolver().histogram(problem, FOREVER), problem)


def test_everything_read_in_pieces_is_kept(catalog: Catalog, monkeypatch: pytest.MonkeyPatch):
    asked = [
        Constraint(column="c0", op="<=", value=0.4),
        Constraint(column="n", op="==", value=3),
        Constraint(op="sql", value="c0 + c1 < 0.5"),
    ]
    whole = BitsetSolver().histogram(fresh(catalog, [], asked), FOREVER)
    problem = fresh(catalog, [], asked)
    monkeypatch.setattr(piecewise, "AMPLE", 10**20)
    read = BitsetSolver().histogram(problem, Budget(1e9))
    assert counted(read) == counted(whole)
    assert problem.is_read
    rows = {predicate.key: catalog.rows(predicate) for predicate in problem.predicates}
    for predicate in fresh(catalog, [], asked).predicates:
        assert catalog.rows(predicate) == rows[predicate.key]


def test_sql_reads_in_pieces_too(catalog: Catalog):
    asked = [Constraint(column="c0", op="<=", value=0.4), Constraint(column="n", op=">", value=3)]
    problem = fresh(catalog, [], asked)
    whole = SqlSolver().histogram(problem, FOREVER)
    partial = piecewise.read_piecewise(problem, ends_after(18), by_kernels=False, in_duckdb=True)
    assert not partial.complete
    check(partial, whole, problem)
    every = piecewise.read_piecewise(problem, Budget(1e9), by_kernels=True, in_duckdb=True)
    check(every, whole, problem)


def test_rows_counted_just_in_time_are_known_though_none_were_kept(catalog: Catalog):
    asked = [Constraint(column="c0", op="<=", value=0.4), Constraint(op="sql", value="c0 + c1 < 1")]
    for looks in range(2, 200):
        problem = fresh(catalog, [], asked)
        budget = ends_after(looks)
        found = piecewise.read_piecewise(problem, budget, by_kernels=False, in_duckdb=True)
        if found.complete:
            break
    assert found.complete
    assert not problem.is_read
    assert found.rows_read is not None
    check(found, SqlSolver().histogram(problem, FOREVER), problem)


def test_no_row_is_proven_before_all_are_counted(catalog: Catalog):
    # No row meets both, which reading some rows of each would not tell.
    asked = [
        Constraint(column="c0", op="<=", value=0.5),
        Constraint(op="sql", value="c0 > 0.5"),
        Constraint(column="c1", op="<=", value=0.5),
    ]
    verdicts: set[Verdict] = set()
    for looks in range(2, 40):
        problem = fresh(catalog, [], asked)
        partial = piecewise.read_piecewise(problem, ends_after(looks), by_kernels=True)
        if not partial.complete:
            verdicts.add(partial.verdict)
            assert partial.proven_empty == (partial.verdict is Verdict.UNSAT)
            assert BitsetSolver().minimal_sets(partial, FOREVER).conflicts == ()
    assert verdicts == {Verdict.UNKNOWN, Verdict.UNSAT}


def test_one_row_anywhere_is_found(catalog: Catalog):
    row = ROWS - 3
    values = catalog.fetch([row])[0]
    asked = [Constraint(column=f"c{i}", op="==", value=values[f"c{i}"]) for i in range(3)]
    for column in ("c0", "c1", "c2"):
        catalog.numbers(column)
    reading = catalog.snapshot().piecewise(fresh(catalog, [], asked).predicates)
    reading.read(0, 256, NEVER)
    assert reading.find(256, NEVER) == row
    assert catalog.snapshot().first_row(reading.predicates) == row
    asked = [*asked, Constraint(column="c0", op=">", value=2)]
    reading = catalog.snapshot().piecewise(fresh(catalog, [], asked).predicates)
    assert reading.find(0, NEVER) is None
    assert catalog.snapshot().first_row(reading.predicates) is None
