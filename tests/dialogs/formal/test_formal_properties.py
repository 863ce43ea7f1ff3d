"""The baselines on random shops: every core is a minimal conflict, every end is true."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog, Constraint, Query, RepairEngine
from concede.dialogs.formal.aware import MAX_ITERATIONS, formal_aware
from concede.dialogs.formal.hao import MAX_SOLVES, formal_hao
from concede.engine.answer import Status
from shops import shop, wish

SHOP = shop(60, 5).catalog


def rows_of(catalog: Catalog, query: Query, kept: Sequence[Constraint | None]) -> int:
    constraints = [constraint for constraint in kept if constraint is not None]
    return catalog.count([catalog.bind(constraint) for constraint in (*query.base, *constraints)])


@given(st.integers(0, 10_000), st.integers(1, 5))
def test_cores_edits_and_ends_are_true(seed, width):
    query = wish(seed, width)
    known = RepairEngine(SHOP).check(query)
    for run, most in (
        (formal_aware(SHOP, query, deadline=None), MAX_ITERATIONS),
        (formal_hao(SHOP, query, deadline=None), MAX_SOLVES),
    ):
        assert (run.status is Status.SAT_NO_RELAXATION) == (known.count > 0)
        assert len(run.iterations) <= most
        kept: list[Constraint | None] = list(query.constraints)
        for iteration in run.iterations:
            core = list(iteration.core)
            assert rows_of(SHOP, query, core) == 0
            assert all(rows_of(SHOP, query, [c for c in core if c is not m]) for m in core)
            assert kept[iteration.chosen.position] == iteration.chosen.before
            kept[iteration.chosen.position] = iteration.chosen.to
            assert rows_of(SHOP, query, kept) == iteration.results_after
        assert tuple(kept) == run.remaining
        if run.status is Status.SAT_AFTER_RELAXATION:
            assert rows_of(SHOP, query, run.remaining) > 0
            assert run.recommended is not None
