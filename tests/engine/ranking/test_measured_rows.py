"""Small slices measured whole by a kernel: what NumPy measures row by row."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Constraint, Query
from concede.engine.bound_query import BoundQuery, bind
from concede.engine.ranking import kernel_arguments
from concede.engine.ranking.near_ranking import NearRanker
from concede.engine.ranking.numpy_ranking import NumpyRanker
from shops import shop, wish

STORE = shop(7, 3_000).catalog


def one_price(seed: int, width: int, price: int) -> BoundQuery:
    """Return a query over the laptops of one price, one in sixty."""
    asked = wish(seed, width, hard=0.2)
    base = Constraint(column="price", op="==", value=price)
    return bind(STORE, Query(base=(base,), constraints=asked.constraints))


bound_queries = st.builds(
    one_price, st.integers(0, 10_000), st.integers(1, 7), st.integers(6, 59).map(lambda n: 50 * n)
)


@given(bound_queries)
def test_distances_and_violations_are_those_of_every_row(bound: BoundQuery):
    measured = NearRanker(bound)._arguments.measured
    assert bound.base.is_compact
    assert measured is not None
    distances, violations = measured
    everywhere = np.arange(bound.base.size)
    by_numpy = NumpyRanker(bound).distances(everywhere)
    assert distances.tolist() == by_numpy.tolist()
    for row, violation in enumerate(violations.tolist()):
        missed = [i for i in range(bound.width) if distances[i, row]]
        if bound.hard.intersection(missed):
            assert violation == math.inf
        else:
            assert math.isclose(
                violation, sum(bound.weights[i] * distances[i, row] for i in missed)
            )


@given(bound_queries, st.sampled_from([0.0, 0.2, 0.7, math.inf]))
def test_rows_near_are_those_within_the_radius_that_meet_what_is_hard(
    bound: BoundQuery, radius: float
):
    rows = NearRanker(bound)
    near, whole = rows._read_near(radius), NumpyRanker(bound).closest(bound.base.size)
    closest = dict(zip(whole.places.tolist(), whole.violations.tolist(), strict=True))
    expected = sorted(place for place, violation in closest.items() if violation <= radius)
    assert near.complete
    assert near.places.tolist() == expected
    assert near.distances.tolist() == rows.distances(near.places).tolist()


def test_a_larger_slice_is_not_measured_whole():
    assert NearRanker(bind(STORE, wish(3, 4)))._arguments.measured is None


@given(bound_queries, st.sampled_from([0.0, 0.4, math.inf]))
def test_a_small_slice_of_more_cells_is_read_by_its_buckets(bound: BoundQuery, radius: float):
    measured = NearRanker(bound)._read_near(radius)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_arguments, "FEW_CELLS", 0)
        rows = NearRanker(bound)
        assert rows._arguments.measured is None
        by_buckets = rows._read_near(radius)
    assert by_buckets.places.tolist() == measured.places.tolist()
    assert np.allclose(by_buckets.distances, measured.distances)
    assert np.allclose(by_buckets.violations, measured.violations)
