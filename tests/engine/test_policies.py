"""What each policy lets give way."""

from __future__ import annotations

import math
from itertools import combinations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog, Constraint, Query, QueryError, RepairEngine, Status
from shops import met, shop, wish

ROWS = pa.table({"a": [1, 1, 0], "b": [0, 1, 1], "c": [0, 1, 1], "d": [1, 0, 1]})


def ask(**weights: float) -> Query:
    """Return the query a = 1 AND b = 1 AND c = 1 AND d = 1 with these weights."""
    return Query(
        constraints=[
            Constraint(column=name, op="==", value=1, weight=weight)
            for name, weight in weights.items()
        ]
    )


def relaxed(query: Query, policy: str, **options) -> list[str | None]:
    """Return the columns a policy gives up."""
    answer = RepairEngine(Catalog.open(ROWS)).repair(query, policy=policy, **options)
    return [constraint.column for constraint in answer.relaxed]


def test_single_drops_the_least_important_or_nothing():
    assert relaxed(ask(a=0.1, b=0.5, c=0.5, d=0.5), "single") == ["a"]
    assert relaxed(ask(a=0.5, b=0.1, c=0.5, d=0.5), "single") == []


def test_cumulative_goes_on_in_ascending_weight():
    assert relaxed(ask(a=0.5, b=0.1, c=0.2, d=0.9), "cumulative") == ["b", "c"]
    assert relaxed(ask(a=0.3, b=0.1, c=0.5, d=0.9), "cumulative") == ["a", "b"]


def test_least_weight_drops_more_constraints_if_they_weigh_less():
    assert relaxed(ask(a=0.9, b=0.1, c=0.2, d=0.9), "least-weight") == ["b", "c"]


def test_fewest_drops_one_even_if_it_weighs_more():
    assert relaxed(ask(a=0.9, b=0.1, c=0.2, d=0.8), "fewest") == ["d"]


def test_priority_follows_the_given_order_then_the_last_first():
    query = ask(a=0.1, b=0.2, c=0.3, d=0.4)
    assert relaxed(query, "priority", priority=["b", "c"]) == ["b", "c"]
    assert relaxed(query, "priority") == ["d"]
    with pytest.raises(QueryError, match="unknown column 'zz'"):
        relaxed(query, "priority", priority=["zz"])


def test_ties_are_equal_in_decimal():
    # 0.1 + 0.2 is more than 0.3 in binary; here they are equal, so fewer constraints win.
    assert relaxed(ask(a=0.3, b=0.1, c=0.2, d=0.9), "least-weight") == ["a"]


def test_hard_constraints_and_groups_are_respected():
    query = ask(a=0.1, b=0.2, c=0.3, d=0.1)
    hard = [
        Constraint.model_validate(constraint.record() | {"hard": constraint.column in "ad"})
        for constraint in query.constraints
    ]
    for policy in ("single", "cumulative", "fewest", "least-weight", "priority"):
        assert not {"a", "d"}.intersection(relaxed(query.replace(hard), policy))
    grouped = [
        Constraint.model_validate(
            constraint.record() | {"group": "g"} if constraint.column in "ab" else constraint
        )
        for constraint in query.constraints
    ]
    assert relaxed(query.replace(grouped), "least-weight") == ["d"]
    assert relaxed(query.replace(grouped), "priority", priority=["a"]) == ["a", "b"]


def test_unknown_policy_names_the_known():
    with pytest.raises(QueryError, match="least-weight"):
        relaxed(ask(a=0.5), "cheapest")


SHOPS = {size: shop(7, size) for size in (1, 12, 60)}


@given(
    st.sampled_from(sorted(SHOPS)),
    st.integers(0, 10**6),
    st.integers(1, 7),
    st.sampled_from(["bitset", "sql", "z3", "brute"]),
    st.booleans(),
)
def test_least_weight_and_fewest_equal_brute_force(size, seed, count, solver, grouped):
    store, query = SHOPS[size], wish(seed, count, hard=0.2, grouped=grouped)
    allowed = _repairs(store.rows, query)
    engine = RepairEngine(store.catalog, solver=solver)
    for policy, price in (("least-weight", _weight), ("fewest", _size_then_weight)):
        answer = engine.repair(query, policy=policy)
        if answer.status is Status.SAT_NO_RELAXATION:
            assert frozenset() in allowed
        elif not allowed:
            assert answer.status is Status.UNSAT_EVEN_AFTER_RELAXATION
        else:
            best = min(allowed, key=lambda one: (price(one, query), _tie_break(one, query)))
            assert set(answer.repairs[0].dropped) == best
            assert answer.proven_minimal


def _repairs(rows, query) -> list[frozenset[int]]:
    """Return every set of soft units whose dropping leaves a row."""
    asked = [row for row in rows if all(met(row, constraint) for constraint in query.base)]
    failed = [{i for i, c in enumerate(query.constraints) if not met(r, c)} for r in asked]
    units = [frozenset(u) for u in query.groups if not query.hard_positions.intersection(u)]
    unions = (
        frozenset().union(*chosen)
        for n in range(len(units) + 1)
        for chosen in combinations(units, n)
    )
    return [union for union in unions if any(missing <= union for missing in failed)]


def _tie_break(positions, query) -> tuple[int, list[int]]:
    units = [i for i, unit in enumerate(query.groups) if positions.issuperset(unit)]
    return len(units), units


def _weight(positions, query) -> float:
    return round(math.fsum(query.constraints[i].importance for i in positions), 9)


def _size_then_weight(positions, query) -> tuple[int, float]:
    return len(positions), _weight(positions, query)
