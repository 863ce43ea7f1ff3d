"""The lowest of many rows, most of which are equal, are the first of all rows sorted."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from concede.engine.ranking.interface import Floats, Places, split_lowest
from concede.engine.ranking.numpy_ranking import NumpyRanker

KEYS = st.sampled_from([-np.inf, 0.0, 0.5, 1.0, np.inf])
COSTS = st.sampled_from([0.0, 1.0, np.inf])


class Costing(NumpyRanker):
    """A ranker of rows whose costs are given."""

    def __init__(self, costs: Floats) -> None:
        self.costs = costs

    def _costs(self, places: Places) -> Floats:
        return self.costs[places]


@given(st.lists(st.tuples(KEYS, KEYS, COSTS), max_size=40), st.integers(1, 12), st.randoms())
def test_ties_go_to_the_score_the_cost_and_the_first_row(rows: list, top: int, random) -> None:
    table = np.array(rows, dtype=np.float64).reshape(-1, 3)
    keys, scores, costs = table.T
    places = np.arange(len(rows), dtype=np.intp)
    random.shuffle(places)
    ranker = Costing(costs[np.argsort(places)] if len(rows) else costs)
    found = ranker.lowest(places, keys, top)
    assert found.tolist() == np.lexsort((places, costs, keys))[:top].tolist()
    found = ranker.nearest_first(places, keys, scores, top)
    assert found.tolist() == np.lexsort((places, costs, -scores, keys))[:top].tolist()


@given(st.lists(KEYS, max_size=20), st.integers(0, 8))
def test_the_lowest_are_split_from_those_that_are_equal(keys: list[float], top: int) -> None:
    lower, equal = split_lowest(np.array(keys, dtype=np.float64), top)
    among = sorted(range(len(keys)), key=keys.__getitem__)[:top]
    assert set(lower.tolist()) <= set(among)
    assert {keys[at] for at in among} == {keys[at] for at in [*lower, *(equal if among else [])]}
    assert len(lower) <= top <= max(top, len(lower) + len(equal))
