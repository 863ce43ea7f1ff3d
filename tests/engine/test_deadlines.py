"""Repairs that a clock ends after so many looks: whatever they say is right, and says so."""

from __future__ import annotations

from functools import partial
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Answer, Query, RepairEngine, Status
from concede.catalogs.vectors import kernel_use
from concede.engine import repair_engine
from concede.engine.ranking import kernel_ranking, near_ranking, numpy_ranking, pieces
from concede.engine.ranking.numpy_ranking import NumpyRanker
from concede.solvers.limits import Budget
from shops import met, shop, wish

STORE = shop(7, 400)
POLICIES = ["least-weight", "fewest", "cumulative", "closest"]


@pytest.mark.parametrize("kernels", [False, True])
@given(
    st.integers(0, 10_000),
    st.integers(1, 6),
    st.integers(1, 120),
    st.sampled_from(POLICIES),
    st.sampled_from(["near", "score"]),
)
def test_an_answer_cut_short_is_right_and_says_so(kernels, seed, width, looks, policy, rank):
    query = wish(seed, width, hard=0.1)
    with pytest.MonkeyPatch.context() as patch:
        for module in (pieces, kernel_ranking, near_ranking):
            patch.setattr(module, "PIECE_WORDS", 1)
        patch.setattr(numpy_ranking, "BLOCK_WORDS", 1)
        patch.setattr(NumpyRanker, "piece_words", 1)
        if kernels:
            patch.setattr(kernel_use, "KERNEL_ROWS", -1)
        engine = RepairEngine(STORE.catalog, threads=1)
        whole = engine.repair(query, policy=policy, rank=rank, deadline=None)
        ticks = count()
        clock = partial(lambda: 0.0 if next(ticks) < looks else 10.0)
        patch.setattr(repair_engine, "Budget", partial(Budget, clock=clock))
        answer = engine.repair(query, policy=policy, rank=rank, deadline=1.0)
    if answer.stopped_by is None:
        assert answer.record() == whole.record()
    else:
        assert answer.stopped_by == "deadline"
        assert not answer.complete
    check_status(answer, whole)
    check_conflicts(answer, query)
    check_repairs(answer)
    check_items(answer, whole, query)


def check_status(answer: Answer, whole: Answer) -> None:
    assert answer.status in (whole.status, Status.UNKNOWN)
    assert not answer.proven_minimal or whole.proven_minimal
    found = len(STORE.catalog.query(answer.sql)) if answer.status is not Status.UNKNOWN else 0
    if answer.counts_exact and answer.status is not Status.UNKNOWN:
        assert answer.count == (0 if answer.status is Status.UNSAT_EVEN_AFTER_RELAXATION else found)
        assert answer.drop_one_counts == whole.drop_one_counts
    else:
        assert answer.count <= found or answer.status is Status.UNKNOWN


def check_conflicts(answer: Answer, query: Query) -> None:
    """No row meets a conflict, and some row meets all of it but one, whichever that is."""
    rows = [row for row in STORE.rows if all(met(row, c) for c in query.base)]

    def is_met(positions: frozenset[int]) -> bool:
        return any(all(met(row, query.constraints[i]) for i in positions) for row in rows)

    for conflict in answer.conflicts:
        assert not is_met(conflict)
        assert all(is_met(conflict - {one}) for one in conflict)
    if answer.status is Status.SAT_AFTER_RELAXATION and answer.counts_exact:
        assert answer.conflicts


def check_repairs(answer: Answer) -> None:
    if answer.status is Status.SAT_AFTER_RELAXATION:
        assert answer.repairs
    for repair in (*answer.repairs, *answer.shifts):
        found = STORE.catalog.query(repair.sql)
        assert repair.witness in found
        assert 0 < repair.count <= len(found)
        exact = "at least" not in repair.explanation
        assert (repair.count == len(found)) or not exact
        assert exact or not answer.counts_exact


def check_items(answer: Answer, whole: Answer, query: Query) -> None:
    if answer.status is Status.UNKNOWN or not answer.items:
        return
    found = STORE.catalog.query(answer.sql)
    for item in answer.items:
        assert item.row in found
        assert set(item.meets) == {
            i for i, one in enumerate(query.constraints) if met(item.row, one)
        }
    for miss in answer.near_misses:
        assert all(not met(miss.row, one.constraint) for one in miss.violates)
