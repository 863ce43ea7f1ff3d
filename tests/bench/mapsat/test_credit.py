"""What an item earns for a factor, beside the rule spelled out slowly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog
from concede.bench.mapsat.credit import credits_of, satisfaction
from concede.bench.mapsat.items import Items
from concede.bench.mapsat.scores import WeighedFactor, implicit_satisfaction
from concede.bench.mapsat.task import ImplicitNeed
from concede.catalogs.query.constraint import Constraint

BOUNDS = st.integers(0, 40)
PRICES = [0, 3, 7.5, 10, 12, 14.9, 15, 20, None, 39]


def items_of(tmp: dict[str, Items]) -> Items:
    import pyarrow as pa

    if not tmp:
        table = pa.table({"id": [f"i{n}" for n in range(len(PRICES))], "price": PRICES})
        tmp["items"] = Items(Catalog.open(table), "id")
    return tmp["items"]


MADE: dict[str, Items] = {}


def need(op: str, value: object, kind: str = "soft", spread: float | None = None) -> ImplicitNeed:
    constraint = Constraint(column="price", op=op, value=value)  # pyright: ignore[reportArgumentType] values of a test
    return ImplicitNeed(
        constraint=constraint,
        type=kind,  # pyright: ignore[reportArgumentType] as above
        weight=1.0,
        source="preference",
        evidence=("e1",),
        spread=spread,
    )


def slow_credit(price: float | None, op: str, value: float, spread: float | None) -> float:
    if price is None:
        return 0.0
    missed = price - value if op == "<=" else value - price
    if missed <= 0:
        return 1.0
    if spread is None:
        return 0.0
    for most, credit in ((spread / 4, 0.75), (spread / 2, 0.5), (spread, 0.25)):
        if missed <= most:
            return credit
    return 0.0


@given(st.sampled_from(["<=", ">="]), BOUNDS, st.sampled_from([None, 1.0, 8.0, 100.0]))
def test_bounds_earn_quarters_where_a_spread_is_given(op: str, value: int, spread: float | None):
    items = items_of(MADE)
    found = credits_of(items, need(op, value, "soft", spread))
    assert found.tolist() == [slow_credit(price, op, value, spread) for price in PRICES]


def test_what_is_hard_is_met_or_not():
    found = credits_of(items_of(MADE), need("<=", 10, "hard", 100.0))
    assert set(found.tolist()) == {0.0, 1.0}


def test_ends_of_a_span():
    found = credits_of(items_of(MADE), need("between", [10, 15], "soft", 8.0))
    assert found.tolist() == [0.0, 0.25, 0.5, 1, 1, 1, 1, 0.25, 0, 0]


@given(st.lists(st.floats(0, 1.44), min_size=1, max_size=3))
def test_iisr_is_that_of_the_scores(weights: list[float]):
    items = items_of(MADE)
    bounds = (5, 12, 20)
    needs = [
        need("<=", bounds[at]).model_copy(update={"weight": weight})
        for at, weight in enumerate(weights)
    ]
    factors = [WeighedFactor(weight) for weight in weights]
    credits = np.array([credits_of(items, each) for each in needs])
    for place, value in enumerate(satisfaction(items, needs)):
        own = credits[:, place].tolist()
        assert value == pytest.approx(implicit_satisfaction(factors, own))


def test_without_factors_everything_satisfies():
    assert satisfaction(items_of(MADE), []).tolist() == [1.0] * len(PRICES)
