"""Hits of several slices: shares, what makes up for what, and both ways to draw."""

from __future__ import annotations

import numpy as np
import pytest

from concede.bench.generation.balanced_sampling import (
    balanced_samples,
    complete_draw,
    first_hit_draw,
    round_robin,
    seed_of,
)
from concede.bench.generation.slices import Slice
from concede.catalogs.vectors.row_set import RowSet
from concede.solvers.enumeration.candidates import Candidates, Hits
from concede.solvers.enumeration.search import SIZES, search


def part(seed, candidates, rows=12, share=0.3):
    """A slice that is nothing but its candidates, each about a column of its own."""
    truth = np.random.default_rng(seed).random((candidates, rows)) < share
    found = Candidates.of_truth(truth, list(range(candidates)))
    return Slice((), RowSet.everything(rows), (), found)


def everything(one, sought):
    return Hits.joined(search(one.candidates, sought), SIZES[sought])


def sizes(drawn):
    return [len(query.hits) for query in drawn]


@pytest.mark.parametrize("draw", [complete_draw, first_hit_draw])
def test_slices_have_equal_shares_while_they_have_enough(draw):
    parts = [part(seed, 20) for seed in range(4)]
    assert sizes(balanced_samples(parts, 4, draw("MUS-2", 1, None), 12)) == [3, 3, 3, 3]


def test_those_that_have_more_make_up_for_the_others():
    parts = [part(0, 30), part(1, 3, share=0.0), part(2, 4), part(3, 30)]
    every = [len(everything(part, "MUS-2")) for part in parts]
    drawn = balanced_samples(parts, 4, complete_draw("MUS-2", 1, None), 60)
    assert every[1] == 0
    assert sizes(drawn)[1] == every[2]
    chosen = [len(hits) for _, hits in round_robin(drawn, 60)]
    assert sum(chosen) == 60
    whole = balanced_samples(parts, 4, complete_draw("MUS-2", 1, None), 10**6)
    assert sizes(whole) == [subset for subset in every if subset]


def test_no_more_slices_are_looked_at_than_instances_are_wanted():
    looked = []

    def parts():
        for seed in range(10):
            looked.append(seed)
            yield part(seed, 20)

    drawn = balanced_samples(parts(), 10, complete_draw("MUS-2", 1, None), 3)
    assert sizes(drawn) == [1, 1, 1]
    assert looked == [0, 1, 2]


def test_round_robin_takes_one_of_each_first():
    drawn = balanced_samples([part(0, 20), part(1, 20)], 2, complete_draw("MUS-2", 1, None), 6)
    order = [
        next(i for i, one in enumerate(drawn) if one.part is p) for p, _ in round_robin(drawn, 5)
    ]
    assert order == [0, 1, 0, 1, 0]


@pytest.mark.slow
@pytest.mark.parametrize("sought", ["MUS-2", "MUS-4", "unique-repair"])
@pytest.mark.parametrize("draw", [complete_draw, first_hit_draw])
def test_what_is_drawn_is_a_hit_and_comes_once(draw, sought):
    one = part(5, 14, rows=30, share=0.45) if sought == "MUS-4" else part(5, 14)
    known = {frozenset(members) for members in everything(one, sought).members.tolist()}
    hits = draw(sought, 7, None)(one, 10)
    found = [frozenset(members) for members in hits.members.tolist()]
    assert 1 <= len(found) == len(set(found)) <= 10
    assert set(found) <= known


@pytest.mark.parametrize("draw", [complete_draw, first_hit_draw])
def test_the_seed_and_the_tightness_are_kept(draw):
    one = part(5, 14, share=0.35)
    first, again, other = (draw("MUS-2", seed, 8)(one, 6).members.tolist() for seed in (1, 1, 2))
    assert first == again != other
    assert draw("MUS-2", 1, 8)(one, 6).tightness.max() <= 8
    assert len(draw("MUS-2", 1, 1)(one, 6)) == 0


def test_seeds_tell_purposes_apart():
    assert seed_of(1, "a") == seed_of(1, "a")
    assert len({seed_of(1, "a"), seed_of(1, "b"), seed_of(2, "a"), seed_of(-1, "a")}) == 4
    assert 0 <= seed_of(-5) < 2**63
