"""Rows read in pieces, on two threads or until a clock ends it, against rows read at one go."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.engine.bound_query import BoundQuery, bind
from concede.engine.ranking import (
    front_ranking,
    kernel_ranking,
    near_ranking,
    numpy_ranking,
    pieces,
)
from concede.engine.ranking.interface import Counted, RowProbe, RowRanker
from concede.engine.ranking.near_ranking import NearRanker
from concede.engine.ranking.numpy_ranking import NumpyRanker
from concede.engine.shifts import Shift
from concede.solvers import parallel_chunks
from concede.solvers.limits import Budget
from concede.solvers.masks import mask_of
from shops import shop, wish

STORE = shop(5, 1_000).catalog
"""19 words of rows: as many pieces where a piece is one word."""

WHOLE = NumpyRanker.piece_words

bound_queries = st.builds(
    lambda seed, width: bind(STORE, wish(seed, width, hard=0.2)),
    st.integers(0, 10_000),
    st.integers(1, 7),
)


def make_pieces_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read 64 rows at a time, with a second thread for any number of them."""
    monkeypatch.setattr(pieces, "PIECE_WORDS", 1)
    monkeypatch.setattr(pieces, "LARGER", 1)
    monkeypatch.setattr(pieces, "PARALLEL_WORDS", 1)
    monkeypatch.setattr(parallel_chunks, "WORTH_SHARING", 0.0)
    monkeypatch.setattr(parallel_chunks, "TRIED", 0.0)
    monkeypatch.setattr(NumpyRanker, "piece_words", 1)
    monkeypatch.setattr(numpy_ranking, "BLOCK_WORDS", 1)
    monkeypatch.setattr(kernel_ranking, "PIECE_WORDS", 1)
    monkeypatch.setattr(near_ranking, "PIECE_WORDS", 1)
    monkeypatch.setattr(near_ranking, "MANY", 100)
    monkeypatch.setattr(front_ranking, "FEW_LEFT", 100)
    monkeypatch.setattr(kernel_ranking, "MANY", 100)


def everything(rows: RowRanker, top: int) -> list[object]:
    """Return all that a ranker finds, as plain lists."""
    bound = rows.bound
    probes = probes_of(bound)
    found: list[object] = [rows.probe(probes)]
    found.append(rows.front(bound.movable, top).tolist() if bound.movable else [])
    closest = rows.closest(top)
    found += [closest.places.tolist(), closest.violations.tolist(), closest.complete]
    for dropped in (frozenset[int](), frozenset(bound.soft)):
        matching = rows.count_without(mask_of(dropped))
        for rank in (rows.rank, rows.rank_near):
            ranked = rank(dropped, matching.rows, top)
            found += [matching, ranked.count, ranked.places.tolist(), ranked.scores.tolist()]
            found += [ranked.satisfaction.tolist(), ranked.pareto.tolist(), ranked.complete]
    found.append(rows.cheapest_row(bound.width))
    return [*found, rows.count_shifted(shifts_of(rows)), rows.stopped_by]


def probes_of(bound: BoundQuery) -> list[RowProbe]:
    """Return a probe for each bound alone and for all that may give way."""
    probes = [RowProbe(frozenset([i]), (i,)) for i in bound.movable]
    return [*probes, RowProbe(frozenset(bound.soft), bound.movable)]


def shifts_of(rows: RowRanker) -> list[Shift]:
    """Return a shift of each bound to some row with a value."""
    shifts: list[Shift] = []
    for position in rows.bound.movable:
        values = rows.bound.base.numbers(rows.bound.bound_at(position).column.name)
        known = np.flatnonzero(np.isfinite(values))
        if rows.bound.exact[position] and len(known):
            distance = float(rows.distances(known[-1:])[position, 0])
            cost = distance * rows.bound.weights[position]
            moved = ((position, distance),)
            shifts += [Shift.of(moved, frozenset(), cost, int(known[-1]))] * (distance > 0)
    return shifts


@pytest.mark.parametrize("kind", [NearRanker, NumpyRanker])
@pytest.mark.parametrize("threads", [1, 2])
@given(bound_queries, st.integers(1, 12))
def test_pieces_find_what_one_reading_finds(kind, threads, bound, top):
    at_once = everything(kind(bound), top)
    with pytest.MonkeyPatch.context() as patch:
        make_pieces_small(patch)
        in_pieces = everything(kind(bound, Budget(None, threads=threads)), top)
    assert in_pieces == at_once
    assert at_once[-1] is None


def ending_after(looks: int) -> Budget:
    """Return a budget whose clock jumps past its end after so many looks."""
    looked = count()
    return Budget(1.0, clock=lambda: 0.0 if next(looked) < looks else 10.0)


@pytest.mark.parametrize("kind", [NearRanker, NumpyRanker])
@given(bound_queries, st.integers(1, 12), st.integers(2, 120))
def test_what_is_found_before_the_clock_ends_it_is_right(kind, bound, top, looks):
    with pytest.MonkeyPatch.context() as patch:
        make_pieces_small(patch)
        rows = kind(bound, ending_after(looks))
        check_probes(rows)
        check_front(rows, top)
        check_closest(rows, top)
        check_ranked(rows, top)
        check_counts(rows)


def meeting(bound: BoundQuery, dropped: frozenset[int]) -> set[int]:
    """Return the places of the rows that meet all but what is dropped: bit by bit."""
    kept = [words for i, words in enumerate(bound.stack) if i not in dropped]
    return {
        row
        for row in range(bound.base.size)
        if all(int(words[row >> 6]) >> (row & 63) & 1 for words in (bound.base.words, *kept))
    }


def check_probes(rows: RowRanker) -> None:
    probes = probes_of(rows.bound)
    for probe, result in zip(probes, rows.probe(probes), strict=True):
        let_in = meeting(rows.bound, probe.changed)
        assert {result.first, result.nearest} - {None} <= let_in
        if rows.stopped_by is None:
            assert result.first == min(let_in, default=None)


def check_front(rows: RowRanker, top: int) -> None:
    movable = rows.bound.movable
    if movable:
        points = rows.front(movable, top)
        assert set(points.tolist()) <= meeting(rows.bound, frozenset(movable))
        distances = rows.distances(points)[list(movable)]
        assert distances.any(axis=0).all()


def check_closest(rows: RowRanker, top: int) -> None:
    closest, bound = rows.closest(top), rows.bound
    assert set(closest.places.tolist()) <= meeting(bound, frozenset(bound.soft))
    weights = np.array([bound.weights[i] if i in bound.soft else 0 for i in range(bound.width)])
    assert np.allclose(closest.violations, weights @ rows.distances(closest.places))
    assert (np.diff(closest.violations) >= 0).all()
    if closest.complete:
        least = NumpyRanker(bound).closest(top)
        assert closest.places.tolist() == least.places.tolist()
    else:
        assert rows.stopped_by == "deadline"


def check_ranked(rows: RowRanker, top: int) -> None:
    dropped = frozenset(rows.bound.soft)
    let_in = meeting(rows.bound, dropped)
    whole = NumpyRanker(rows.bound)
    check_ranking(rows.rank, whole.rank, let_in, top)
    check_ranking(rows.rank_near, whole.rank_near, let_in, top)


def check_ranking(rank, whole, let_in: set[int], top: int) -> None:
    rows, dropped = rank.__self__, frozenset(rank.__self__.bound.soft)
    ranked = rank(dropped, len(let_in), top, min(let_in, default=0))
    assert set(ranked.places.tolist()) <= let_in
    assert bool(let_in) == bool(len(ranked.places))
    weights = np.array([term.weight for term in rows.bound.terms])
    assert np.allclose(ranked.scores, weights @ ranked.satisfaction)
    if ranked.complete:
        assert ranked.places.tolist() == whole(dropped, len(let_in), top).places.tolist()
    else:
        assert rows.stopped_by == "deadline"
        assert not ranked.pareto.any()


def check_counts(rows: RowRanker) -> None:
    shifts = shifts_of(rows)
    counted = [*rows.count_shifted(shifts), rows.count_without(1)]
    whole = NumpyRanker(rows.bound)
    true = [*whole.count_shifted(shifts), Counted(len(meeting(rows.bound, frozenset([0]))))]
    for some, all_of_them in zip(counted, true, strict=True):
        assert all_of_them.exact
        assert some == all_of_them if some.exact else some.rows <= all_of_them.rows
    assert all(some.exact for some in counted) or rows.stopped_by == "deadline"
