"""The rows of a plan by kernels and by NumPy: the same answers, to the last byte."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Constraint, Objective, Query, RepairEngine
from concede.catalogs.catalog import Catalog
from concede.catalogs.vectors import kernel_use
from concede.engine.ranking.kernel_ranking import MANY
from concede.engine.repair_options import RANKS
from shops import shop, wish


@pytest.mark.parametrize("count", [0, 1, 63, 64, 300, 5_000])
def test_kernels_and_numpy_give_the_same_answers(monkeypatch, count):
    catalog = shop(count, count).catalog

    @given(st.integers(0, 10_000), st.integers(1, 7), st.integers(1, 12), st.booleans())
    def check(seed: int, width: int, top: int, narrow: bool) -> None:
        query = wish(seed, width)
        if narrow:
            query = Query(base=query.constraints[:1], constraints=query.constraints[1:])
        judge(monkeypatch, catalog, query, top)

    check()


def judge(monkeypatch, catalog: Catalog, query: Query, top: int) -> None:
    for rank in RANKS:
        answers = []
        for large in (0, 10**9):
            monkeypatch.setattr(kernel_use, "KERNEL_ROWS", large - 1)
            answer = RepairEngine(catalog).repair(query, top=top, rank=rank)
            answers.append(json.loads(answer.to_json()))
        assert answers[0] == answers[1]


def many_rows(count: int) -> Catalog:
    dice = np.random.default_rng(11)
    missing = dice.random(count) < 0.05
    return Catalog.open(
        pa.table(
            {
                "price": dice.lognormal(3, 1, count).round(2),
                "rating": pa.array(dice.integers(0, 50, count) / 10, mask=missing),
                "size": dice.random(count),
                "year": dice.integers(1990, 2026, count),
                "kind": dice.choice(["a", "b", "c", "d"], count),
                "shelf": dice.integers(0, 200, count),
            }
        )
    )


WISHES = [
    ("price", "<=", 2.0, 0.9),
    ("rating", ">", 4.8, 0.6),
    ("size", "between", [0.5, 0.501], 0.5),
    ("year", ">=", 2025, 0.3),
    ("kind", "==", "a", 0.2),
    ("size", "<", 0.01, 0.7),
    ("year", "==", 2001, 0.0),
]


@pytest.mark.slow
@pytest.mark.parametrize("rows", [65_537, 150_000])
@pytest.mark.parametrize("base", [None, ("shelf", "==", 7), ("shelf", ">=", 60)])
def test_kernels_and_numpy_agree_over_many_chunks(monkeypatch, rows, base):
    catalog = many_rows(rows)
    hard = [False, True]
    for width, one_hard in product((3, 5, 7), hard):
        constraints = [
            Constraint(column=column, op=op, value=value, weight=weight)
            for column, op, value, weight in WISHES[:width]
        ]
        if one_hard:
            constraints[0] = constraints[0].model_copy(update={"hard": True})
        fixed = [Constraint(column=base[0], op=base[1], value=base[2])] if base else []
        judge(monkeypatch, catalog, Query(base=fixed, constraints=constraints), 6)


EASY = [
    ("price", "<=", 400.0, 0.9),
    ("rating", ">=", 0.5, 0.6),
    ("size", ">=", 0.01, 0.5),
    ("year", ">=", 1991, 0.3),
    ("kind", "in", ["a", "b", "c"], 0.2),
]
AIMS = [("size", "max", 0.8), ("year", "min", 0.4), ("rating", "max", 1.0)]


@pytest.mark.slow
@pytest.mark.parametrize("base", [None, ("shelf", ">=", 60)])
@pytest.mark.parametrize("width", [1, 3, 5])
@pytest.mark.parametrize("aims", [0, 1, 3])
def test_kernels_and_numpy_rank_many_candidates_alike(monkeypatch, base, width, aims):
    constraints = [
        Constraint(column=column, op=op, value=value, weight=weight)
        for column, op, value, weight in EASY[:width]
    ]
    fixed = [Constraint(column=base[0], op=base[1], value=base[2])] if base else []
    objectives = [Objective(column=c, direction=way, weight=w) for c, way, w in AIMS[:aims]]
    query = Query(base=fixed, constraints=constraints, objectives=objectives)
    catalog = many_rows(90_000)
    assert RepairEngine(catalog).check(query).count > MANY
    for top in (1, 7, 300):
        judge(monkeypatch, catalog, query, top)


UNMET = [
    ("price", "<=", -1.0, 0.1),
    ("rating", ">", 6.0, 0.3),
    ("kind", "==", "none", 0.4),
    ("year", ">=", 2027, 0.2),
    ("kind", "==", "other", 0.0),
]


@pytest.mark.slow
@pytest.mark.parametrize("base", [None, ("shelf", ">=", 60), ("shelf", "==", 7)])
@pytest.mark.parametrize("unmet", [[0], [1], [2], [3], [4], [0, 1], [1, 2], [1, 3, 4], [2, 3]])
def test_kernels_and_numpy_agree_on_the_nearest_of_many(monkeypatch, base, unmet):
    constraints = [
        Constraint(column=column, op=op, value=value, weight=weight)
        for column, op, value, weight in [*(UNMET[number] for number in unmet), *EASY[1:3]]
    ]
    fixed = [Constraint(column=base[0], op=base[1], value=base[2])] if base else []
    catalog = many_rows(150_000)
    for top in (1, 5, 40):
        judge(monkeypatch, catalog, Query(base=fixed, constraints=constraints), top)
