"""What every ranker does: the same answers by NumPy and by kernels, on both sides of the border.

Rankers are forced, since a catalog of 65,536 rows takes the one and 65,537 rows the other.
"""

from __future__ import annotations

import json
import random
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from concede import Answer, Catalog, Constraint, Query, RepairEngine
from concede.engine import repair_context
from concede.engine.policies import POLICIES

RANKERS = ("numpy", "kernels")
BORDER = (65_535, 65_536, 65_537)
SIZES = [0, 1, 65, 3_000, *[pytest.param(n, marks=pytest.mark.slow) for n in BORDER]]
QUERIES = 12


@lru_cache(maxsize=2)
def catalog_of(size: int) -> Catalog:
    """Return a catalog of few distinct values, so that rows tie, with NULL and infinities."""
    dice = np.random.default_rng(size)

    def column(values: list[Any], kind: Any) -> Any:
        codes = dice.integers(0, len(values), size)
        return pa.array([values[code] for code in codes.tolist()], kind)

    floats = [-1.5, -0.0, 0.0, 0.1, 0.2, 0.1 + 0.2, 0.3, float("inf"), -float("inf"), None]
    columns = {
        "price": column([5, 10, 20, 40, 80, None], pa.int64()),
        "far": column([-(2**62), 2**53, 2**53 + 1, 2**60], pa.int64()),
        "ratio": column(floats, pa.float64()),
        "kind": column(["a", "b", "c", None], pa.string()),
        "rare": pa.array(dice.permutation(np.arange(size)), pa.int64()),
    }
    return Catalog.open(pa.table(columns))


def query_of(seed: int) -> Query:
    """Return a query of three to six constraints that tend to conflict, their weights to tie."""
    dice = random.Random(seed)
    wishes = [
        ("price", "<=", dice.choice([4, 5, 10])),
        ("price", ">", dice.choice([40, 79, 80])),
        ("far", "between", [2**53 + 1, 2**60 - 1]),
        ("far", ">=", dice.choice([2**53, 2**60, 2**61])),
        ("ratio", ">", dice.choice([0.3, 0.0, 5.0])),
        ("ratio", "<", dice.choice([0.0, -2.0, 0.3])),
        ("ratio", "==", dice.choice([0.3, 0.0, 7.0])),
        ("kind", "==", dice.choice(["a", "z"])),
        ("rare", "<=", dice.choice([0, 3, 40_000])),
        ("rare", ">=", dice.choice([2, 65_534])),
    ]
    constraints = [
        Constraint(
            column=column,
            op=op,
            value=value,
            weight=dice.choice([0, 0.1, 0.2, 0.3, 0.3, 0.5]),
            hard=dice.random() < 0.1,
            group=dice.choice([None, None, None, "together"]),
            nulls=dice.choice(["reject", "reject", "match"]),
        )
        for column, op, value in dice.sample(wishes, dice.randint(3, 6))
    ]
    base = [Constraint(column="kind", op="!=", value="b")] if dice.random() < 0.3 else []
    return Query(base=base, constraints=constraints)


def answer_of(ranker: str, catalog: Catalog, query: Query, **options: Any) -> Answer:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repair_context, "kernels_are_used", lambda rows: ranker == "kernels")
        return RepairEngine(catalog).repair(query, **options)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_the_same_answer(size: int, policy: str) -> None:
    catalog = catalog_of(size)
    for seed in range(QUERIES):
        query = query_of(seed)
        options = {"policy": policy, "top": 1 + seed % 7, "rank": ("near", "score")[seed % 2]}
        answers = [
            json.loads(answer_of(ranker, catalog, query, **options).to_json()) for ranker in RANKERS
        ]
        assert answers[0] == answers[1], query


@pytest.mark.slow
@pytest.mark.parametrize("size", [3_000, 65_536, 65_537])
@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("ranker", sorted(RANKERS))
def test_every_shift_is_needed_and_its_sql_finds_what_it_counts(
    size: int, policy: str, ranker: str
) -> None:
    catalog = catalog_of(size)
    for seed in range(QUERIES):
        query = query_of(seed)
        for shift in answer_of(ranker, catalog, query, policy=policy, top=4).shifts:
            found = catalog.query(f"SELECT count(*) AS n FROM ({shift.sql})")
            assert found == [{"n": shift.count}]
            assert shift.count > 0
            kept = [c for at, c in enumerate(query.constraints) if at not in shift.dropped]
            without = query.replace(kept)
            assert RepairEngine(catalog).check(without).count == 0, "a shift that is not needed"


@pytest.mark.parametrize("ranker", sorted(RANKERS))
@pytest.mark.parametrize("policy", ["cumulative", "priority"])
def test_what_is_met_where_another_constraint_is_dropped_needs_no_shift(
    policy: str, ranker: str
) -> None:
    # Both policies drop `a` and then `b`, though dropping `b` alone would do.
    catalog = Catalog.open(pa.table({"a": [1, 9], "b": ["x", "y"], "c": [2, 1]}))
    asked = [
        Constraint(column="a", op="<=", value=1, weight=0.1),
        Constraint(column="b", op="==", value="z", weight=0.2),
        Constraint(column="c", op="<=", value=2, weight=0.9),
    ]
    answer = answer_of(
        ranker, catalog, Query(constraints=asked), policy=policy, priority=["a", "b", "c"]
    )
    assert [constraint.column for constraint in answer.relaxed] == ["a", "b"]
    assert answer.shifts == ()
