"""A search radius is a guess at how far to look; the last one is sure to be far enough."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from concede.engine.ranking.search_radius import search_radii

violations = st.lists(st.floats(0.0, 10.0), max_size=60).map(sorted).map(np.array)


@given(violations, violations, st.floats(1e-9, 1.0), st.integers(1, 50))
def test_radii_widen_and_end_beyond_everything(known, drawn, share, top):
    found = search_radii(known, drawn, share, top)
    assert found == sorted(set(found))
    assert found[-1] == math.inf
    if len(known) >= top:
        # As many rows as asked for are known to lie within this one.
        assert known[top - 1] in found


def test_a_radius_below_all_rows_drawn_follows_their_tail():
    # Violations of rows in a cube of three dimensions: their number grows with the third power.
    dice = np.random.default_rng(3)
    everything = np.sort(dice.random((1_000_000, 3)).max(axis=1))
    radius, *_ = search_radii(np.zeros(0), everything[250::500].copy(), 1 / 500, 10)
    # Wrong by less than the margin: not too few, and no hundred times too many.
    assert 10 <= np.searchsorted(everything, radius) <= 1_000


def test_few_rows_are_all_looked_at():
    assert search_radii(np.zeros(0), np.array([0.5]), 1.0, 3) == [math.inf]
