"""Base slices and candidate predicates: by hand on a small shop, then the published cars."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from concede import Catalog, Constraint
from concede.bench.generation.slices import (
    BASE_COLUMNS,
    base_slices,
    build_slice,
    slice_with,
)
from concede.bench.instances import read_instances
from concede.catalogs.errors import QueryError, UnknownColumn

COLUMNS = {"kind": "==", "price": "<=", "year": ">="}


@pytest.fixture(scope="module")
def shop():
    """Ten rows in the north, four in the south, three without a region."""
    return Catalog.open(
        pa.table(
            {
                "region": ["north"] * 10 + ["south"] * 4 + [None] * 3,
                "kind": ["a"] * 5 + ["b"] * 4 + ["c"] + ["a"] * 4 + [None] * 3,
                "price": [10.5, 20.5, 30.5, 40.5, 50.5, 60.5, 70.5, 80.5, 90.5, None] + [1.0] * 7,
                "year": [2001, 2002, 2003, 2004, 2005, 2006, 2007, 2008, 2009, 2010] + [2000] * 7,
            }
        )
    )


@pytest.fixture(scope="module")
def cars(shared_data):
    return Catalog.open(shared_data / "cooperunion_cars" / "data.csv")


def north(shop, **arguments):
    base = [Constraint(column="region", op="==", value="north")]
    return build_slice(shop, base, columns=COLUMNS, **arguments)


def texts(part):
    return [
        f"{constraint.column} {constraint.op} {constraint.value}" for constraint in part.constraints
    ]


def truth(part):
    """Whether each candidate holds for each row of its slice."""
    held = part.candidates.words.view(np.uint8)
    return np.unpackbits(held, axis=1, bitorder="little", count=len(part.rows)).astype(bool)


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [((4, 10), ["north", "south"]), ((5, 10), ["north"]), ((4, 9), ["south"]), ((1, 3), [])],
    ids=str,
)
def test_a_slice_is_eligible_by_its_size_and_null_is_no_value(bounds, expected, shop):
    found = base_slices(shop, ["region"], fewest=bounds[0], most=bounds[1])
    assert [entry[0].value for entry in found] == expected


def test_candidates_are_values_with_support_and_bounds_at_quantiles(shop):
    part = north(shop, strictness=[0.5, 0.75], support=3)
    # "c" has one row; the nine known prices have quartiles 30.5, 50.5; years are rounded.
    assert texts(part) == [
        "kind == a",
        "kind == b",
        "price <= 30.5",
        "price <= 50.5",
        "year >= 2006",
        "year >= 2008",
    ]
    assert part.candidates.columns.tolist() == [0, 0, 1, 1, 2, 2]
    assert truth(part).sum(axis=1).tolist() == [5, 4, 3, 5, 5, 3]


def test_every_value_as_a_bound_but_those_that_hold_for_all(shop):
    part = north(shop, strictness="every value", support=1)
    # One row has no price, so no bound on it holds for all; every year but the first may.
    assert Counter(constraint.column for constraint in part.constraints) == {
        "kind": 3,
        "price": 9,
        "year": 9,
    }


def test_rows_are_numbered_inside_the_slice(shop):
    part = slice_with(
        shop,
        [Constraint(column="region", op="==", value="south")],
        [
            Constraint(column="year", op="==", value=2000),
            Constraint(op="sql", value="price > 1"),
            Constraint(column="YEAR", op=">", value=2000),
        ],
    )
    assert truth(part).tolist() == [[True] * 4, [False] * 4, [False] * 4]
    assert part.candidates.columns.tolist() == [0, 1, 0]


def test_a_word_may_stand_for_null(shop):
    everywhere = build_slice(shop, [], columns={"kind": "=="}, support=1)
    assert texts(everywhere) == ["kind == a", "kind == b", "kind == c", "kind == Unknown"]
    assert truth(everywhere).sum(axis=1).tolist() == [9, 4, 1, 3]
    for missing in (None, "a"):
        part = build_slice(shop, [], columns={"kind": "=="}, support=1, missing=missing)
        assert texts(part) == ["kind == a", "kind == b", "kind == c"]
    assert "kind == Unknown" not in texts(north(shop, support=1))


def test_questions_that_do_not_fit_are_refused(shop):
    with pytest.raises(QueryError, match="no base columns"):
        base_slices(shop, [])
    with pytest.raises(UnknownColumn):
        base_slices(shop, ["regoin"])
    with pytest.raises(QueryError, match="strictness"):
        north(shop, strictness=[1.5])
    with pytest.raises(QueryError):
        build_slice(shop, base_slices(shop, ["region"], fewest=1)[0], columns={"kind": "<="})


def test_the_published_cars_have_95_slices(cars):
    found = base_slices(cars)
    sizes = [len(cars.slice([cars.bind(constraint) for constraint in base])) for base in found]
    assert len(found) == 95
    assert min(sizes) == 35
    assert max(sizes) == 92
    assert [tuple(constraint.column for constraint in base) for base in found] == [
        BASE_COLUMNS
    ] * 95


def test_published_instances_lie_in_eligible_slices(cars, shared_data):
    eligible = {tuple(constraint.value for constraint in base) for base in base_slices(cars)}
    for read_instance in read_instances(shared_data / "aware_us" / "instances.jsonl"):
        named = {c.column: c.value for c in read_instance.query(cars).base}
        assert tuple(named[column] for column in BASE_COLUMNS) in eligible


@pytest.mark.parametrize("name", ["MUS-4_unique.json", "MUS-2_any.json"])
def test_published_constraints_are_among_the_candidates(name, cars, shared_data):
    for read_instance in read_instances(shared_data / "aware_us" / name):
        query = read_instance.query(cars)
        known = {(c.column, c.op, c.value) for c in build_slice(cars, query.base).constraints}
        assert {(c.column, c.op, c.value) for c in query.constraints} <= known
