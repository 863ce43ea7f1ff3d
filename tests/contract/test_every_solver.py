"""What every registered solver promises, built in or brought by another package."""

from __future__ import annotations

import os
import subprocess
import sys

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import QueryError
from concede.catalogs.query.constraint import Constraint
from concede.solvers.limits import Budget, Verdict
from concede.solvers.problem import bind_problem
from concede.solvers.registry import get_solver, solver_names
from concede.solvers.solver import Solver
from twins import Twin

FOREVER = Budget(deadline=None)


@pytest.fixture(params=solver_names())
def solver(request: pytest.FixtureRequest) -> Solver:
    return get_solver(request.param)


@pytest.fixture(scope="module")
def houses() -> Catalog:
    """Rents with a gap, a NULL, and columns named like the words of the sql solver's query."""
    return Catalog.open(
        pa.table(
            {
                "rent": [500, 700, 900, 1100, None],
                "rooms": [1, 2, 3, 4, 2],
                "mask": ["a", "b", "c", "d", "e"],
                "n": [1, 1, 1, 1, 1],
            }
        )
    )


def at_most(rent: int) -> Constraint:
    return Constraint(column="rent", op="<=", value=rent)


def at_least(rooms: int) -> Constraint:
    return Constraint(column="rooms", op=">=", value=rooms)


def masks_of(
    solver: Solver, catalog: Catalog, base: list[Constraint], constraints: list[Constraint]
):
    """What a solver makes of a query: masks with counts, and all sets."""
    histogram = solver.histogram(bind_problem(catalog, base, constraints), FOREVER)
    pairs = zip(histogram.masks.tolist(), histogram.counts.tolist(), strict=True)
    return histogram, dict(pairs), solver.minimal_sets(histogram, FOREVER)


def test_name_is_the_registered_one():
    assert [get_solver(name).name for name in solver_names()] == list(solver_names())


def test_satisfiable_query(solver: Solver, houses: Catalog):
    histogram, masks, sets = masks_of(solver, houses, [], [at_most(900), at_least(2)])
    assert masks == {0b01: 1, 0b10: 2, 0b11: 2}
    assert histogram.verdict is Verdict.SAT
    assert histogram.count([0, 1]) == 2
    assert sets.conflicts == ()
    assert sets.repairs == (frozenset(),)


def test_infeasible_query(solver: Solver, houses: Catalog):
    histogram, masks, sets = masks_of(solver, houses, [], [at_most(600), at_least(2)])
    assert masks == {0b01: 1, 0b10: 4}
    assert histogram.verdict is Verdict.UNSAT
    assert sets.conflicts == (frozenset({0, 1}),)
    assert sets.repairs == (frozenset({0}), frozenset({1}))
    assert sets.maximal == (frozenset({1}), frozenset({0}))
    assert histogram.drop_one_counts() == (4, 1)


def test_base_narrows_the_slice(solver: Solver, houses: Catalog):
    base = [Constraint(column="rent", op="is not null")]
    _, masks, _ = masks_of(solver, houses, base, [at_most(600), at_least(2)])
    assert masks == {0b01: 1, 0b10: 3}


def test_null_satisfies_nothing_unless_asked_to(solver: Solver, houses: Catalog):
    cheap = Constraint(column="rent", op="<=", value=600, nulls="match")
    other = Constraint(column="rent", op="!=", value=500)
    _, masks, _ = masks_of(solver, houses, [], [cheap, at_most(600), other])
    assert masks == {0b001: 1, 0b011: 1, 0b100: 3}


def test_columns_named_like_the_words_of_a_query(solver: Solver, houses: Catalog):
    constraints = [Constraint(column="mask", op="in", value=["a", "b"]), at_least(2)]
    _, masks, _ = masks_of(solver, houses, [Constraint(column="n", op="==", value=1)], constraints)
    assert masks == {0b01: 1, 0b10: 3, 0b11: 1}


def test_empty_table(solver: Solver):
    empty = Catalog.open(pa.table({"rent": pa.array([], pa.int64())}))
    histogram, masks, sets = masks_of(solver, empty, [], [at_most(600), at_most(700)])
    assert masks == {}
    assert histogram.rows == 0
    assert histogram.verdict is Verdict.UNSAT
    assert sets.conflicts == (frozenset(),)
    assert sets.repairs == sets.maximal == ()
    assert solver.cheapest_repairs(histogram, [1.0, 1.0], 3, FOREVER).repairs == ()


def test_empty_base_slice_is_diagnosed_by_its_base(solver: Solver, houses: Catalog):
    problem = bind_problem(houses, [at_most(600), at_least(2), at_least(1)], [at_most(900)])
    histogram = solver.histogram(problem, FOREVER)
    assert histogram.rows == 0
    assert solver.minimal_sets(histogram, FOREVER).conflicts == (frozenset(),)
    above = solver.histogram(problem.only_base(), FOREVER)
    assert solver.minimal_sets(above, FOREVER).conflicts == (frozenset({0, 1}),)


def test_no_constraints(solver: Solver, houses: Catalog):
    histogram, masks, sets = masks_of(solver, houses, [], [])
    assert masks == {0: 5}
    assert histogram.verdict is Verdict.SAT
    assert sets.repairs == sets.maximal == (frozenset(),)
    assert [
        repair.dropped for repair in solver.cheapest_repairs(histogram, [], 3, FOREVER).repairs
    ] == [frozenset()]


@pytest.mark.parametrize(("rent", "masks"), [(100, {0: 5}), (600, {0: 4, 1: 1})])
def test_one_constraint(solver: Solver, houses: Catalog, rent: int, masks: dict[int, int]):
    _, counted, sets = masks_of(solver, houses, [], [at_most(rent)])
    assert counted == masks
    assert sets.conflicts == ((frozenset({0}),) if len(masks) == 1 else ())


def test_duplicate_constraints_stay_apart(solver: Solver, houses: Catalog):
    constraints = [at_most(600), at_least(2), at_most(600), at_least(2)]
    histogram, _, sets = masks_of(solver, houses, [], constraints)
    pairs = ({0, 1}, {0, 3}, {1, 2}, {2, 3})
    assert sets.conflicts == tuple(frozenset(pair) for pair in pairs)
    assert sets.repairs == (frozenset({0, 2}), frozenset({1, 3}))
    cheapest = solver.cheapest_repairs(histogram, [0.1, 0.2, 0.2, 0.1], 9, FOREVER)
    assert [(set(repair.dropped), repair.cost) for repair in cheapest.repairs] == [
        ({0, 2}, 0.3),
        ({1, 3}, 0.3),
    ]


def test_equal_prices_are_broken_by_size_then_position(solver: Solver, houses: Catalog):
    # 0.1 + 0.2 is more than 0.3 in binary; as prices they are equal.
    constraints = [at_most(600), at_most(600), at_least(2)]
    histogram, _, _ = masks_of(solver, houses, [], constraints)
    cheapest = solver.cheapest_repairs(histogram, [0.1, 0.2, 0.3], 9, FOREVER)
    assert [(set(repair.dropped), repair.cost) for repair in cheapest.repairs] == [
        ({2}, 0.3),
        ({0, 1}, 0.3),
    ]


def test_what_must_stay_is_never_dropped(solver: Solver, houses: Catalog):
    histogram, _, _ = masks_of(solver, houses, [], [at_most(600), at_least(2)])
    infinite = float("inf")
    kept = solver.cheapest_repairs(histogram, [infinite, 0.0], 9, FOREVER)
    assert [set(repair.dropped) for repair in kept.repairs] == [{1}]
    assert solver.cheapest_repairs(histogram, [infinite, infinite], 9, FOREVER).repairs == ()


@pytest.mark.parametrize("prices", [[0.5], [0.5, -0.1], [0.5, float("nan")]])
def test_impossible_prices_are_refused(solver: Solver, houses: Catalog, prices: list[float]):
    histogram, _, _ = masks_of(solver, houses, [], [at_most(600), at_least(2)])
    with pytest.raises(ValueError, match="price"):
        solver.cheapest_repairs(histogram, prices, 1, FOREVER)


def test_too_many_constraints_are_refused(solver: Solver, houses: Catalog):
    constraints = [at_least(1)] * (solver.max_constraints + 1)
    with pytest.raises(QueryError, match=f"at most {solver.max_constraints}|64 is the most"):
        masks_of(solver, houses, [], constraints)


def test_as_many_constraints_as_promised(solver: Solver, houses: Catalog):
    width = solver.max_constraints
    # All but the last are met by everything: the highest bit decides.
    constraints = [*[at_least(1)] * (width - 2), at_most(600), at_least(2)]
    histogram, masks, sets = masks_of(solver, houses, [], constraints)
    low, high, rest = 1 << (width - 2), 1 << (width - 1), (1 << (width - 2)) - 1
    assert masks == {rest + low: 1, rest + high: 4}
    assert histogram.masks.dtype == "uint64"
    assert sets.conflicts == (frozenset({width - 2, width - 1}),)
    cheapest = solver.cheapest_repairs(histogram, [0.5] * width, 9, FOREVER)
    assert [set(repair.dropped) for repair in cheapest.repairs] == [{width - 2}, {width - 1}]
    assert histogram.drop_one_counts()[-2:] == (4, 1)


def test_a_condition_the_catalog_cannot_evaluate_is_a_query_error(solver: Solver, houses: Catalog):
    failing = Constraint(op="sql", value="CAST(mask AS INTEGER) > 1")
    with pytest.raises(QueryError, match="cannot evaluate"):
        solver.histogram(bind_problem(houses, [], [failing]), FOREVER)


def test_order_is_fixed(solver: Solver, houses: Catalog):
    constraints = [at_most(600), at_least(3), at_most(800), at_least(2), at_least(4)]
    _, masks, sets = masks_of(solver, houses, [], constraints)
    assert list(masks) == sorted(masks)
    for listed in (sets.conflicts, sets.repairs):
        assert list(listed) == sorted(
            listed, key=lambda positions: (len(positions), sorted(positions))
        )
    met = [frozenset(j for j in range(5) if mask >> j & 1) for mask in masks]
    assert list(sets.conflicts) == Twin(met, 5).conflicts


def test_past_the_deadline_the_verdict_is_unknown_or_right(solver: Solver, houses: Catalog):
    problem = bind_problem(houses, [], [at_most(600), at_least(2)])
    histogram = solver.histogram(problem, Budget(deadline=0.0))
    if histogram.complete:
        assert histogram.verdict is Verdict.UNSAT
    else:
        assert histogram.verdict is Verdict.UNKNOWN
        assert histogram.stopped_by == "deadline"
        assert solver.minimal_sets(histogram, FOREVER).conflicts == ()


PROGRAM = """
import sys
from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.solvers.limits import Budget
from concede.solvers.problem import bind_problem
from concede.solvers.registry import get_solver
import pyarrow as pa
columns = {name: [(row * step) % 7 for row in range(40)] for name, step in [("a", 1), ("b", 3), ("c", 5)]}
catalog = Catalog.open(pa.table(columns))
constraints = [Constraint(column=c, op=o, value=v) for c in "abc" for o, v in [("<", 3), (">", 4), ("==", 6)]]
solver = get_solver(sys.argv[1])
histogram = solver.histogram(bind_problem(catalog, [], constraints), Budget())
print(histogram.masks.tolist(), histogram.counts.tolist())
for sets in (solver.minimal_sets(histogram, Budget()), solver.minimal_sets(histogram, Budget(max_sets=2))):
    print([[sorted(positions) for positions in kind] for kind in (sets.conflicts, sets.repairs, sets.maximal)])
prices = [0.1, 0.2, 0.3] * 3
print([(sorted(repair.dropped), repair.cost) for repair in solver.cheapest_repairs(histogram, prices, 5, Budget()).repairs])
"""  # noqa: E501


@pytest.mark.slow
@pytest.mark.parametrize("name", solver_names())
def test_hash_seed_changes_nothing(name: str):
    said = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, name],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert said.pop().count(b"\n") == 4
