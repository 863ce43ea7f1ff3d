"""Bounds on one column that are read together let through what each of them does."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.vectors.row_set import intersection
from concede.catalogs.versions.joined_bounds import joined_bounds
from concede.catalogs.versions.predicate_evaluation import PredicateEvaluator

COUNT = 66_000
COMPARED = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}
VALUES = st.one_of(st.floats(-1, 2), st.sampled_from([0.25, 0.5, -0.0, 3]))
BOUNDS = st.tuples(st.sampled_from(["a", "b", "n"]), st.sampled_from([*COMPARED]), VALUES)


@pytest.fixture(scope="module", params=["whole", "with rows deleted"])
def shop(request) -> Iterator[Catalog]:
    dice = np.random.default_rng(5)
    columns = {
        "a": dice.choice([0.25, 0.5, 0.0, -0.0, math.nan, math.inf, 1.5], COUNT),
        "b": pa.array(dice.random(COUNT), mask=dice.random(COUNT) < 0.1),
        "n": dice.integers(-2, 4, COUNT),
        "kind": dice.choice(["x", "y"], COUNT),
        "sku": range(COUNT),
    }
    with pytest.MonkeyPatch.context() as patch, Catalog.open(pa.table(columns), key="sku") as shop:
        patch.setenv("CONCEDE_KERNELS", "wait")
        if request.param != "whole":
            shop.delete(range(0, COUNT, 7))
        yield shop


@given(bounds=st.lists(BOUNDS, min_size=2, max_size=5), kind=st.booleans())
@settings(max_examples=100, deadline=None)
def test_a_slice_of_joined_bounds_holds_the_rows_that_meet_each(shop, bounds, kind):
    constraints = [Constraint(column=name, op=op, value=value) for name, op, value in bounds]
    constraints += [Constraint(column="kind", op="==", value="x")] * kind
    predicates = [shop.bind(each) for each in constraints]
    rows = shop.slice(predicates)
    each_alone = [shop.snapshot().rows(each) for each in predicates]
    assert rows == intersection(each_alone, rows.universe)
    assert len(rows) == shop.count(predicates)


def test_a_column_with_several_bounds_is_read_once(shop, monkeypatch):
    read: list[tuple[str, float, float]] = []
    whole = PredicateEvaluator.rows_between

    def noted(self, column, low, high, until):
        read.append((column, low, high))
        return whole(self, column, low, high, until)

    monkeypatch.setattr(PredicateEvaluator, "rows_between", noted)
    asked = [("a", ">=", 0.125), ("b", "<=", 0.625), ("a", "<=", 1.75), ("a", "<", 0.75)]
    constraints = [Constraint(column=name, op=op, value=value) for name, op, value in asked]
    kind = Constraint(column="kind", op="==", value="x")
    predicates = [shop.bind(each) for each in (*constraints, kind)]
    shop.warm()
    joined, left = joined_bounds(shop.snapshot().vectors, predicates)
    assert joined == {"a": (0.125, math.nextafter(0.75, -math.inf))}
    assert left == [predicates[1], predicates[4]]
    assert len(shop.slice(predicates)) == shop.count(predicates) > 0
    assert [name for name, _, _ in read] == ["a"]
