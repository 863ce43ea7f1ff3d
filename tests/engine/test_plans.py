"""Bound queries: kept for whoever asks the same object again, and gone with the answer if not."""

from __future__ import annotations

import gc

import pytest

from concede import Query, QueryError, RepairEngine
from concede.engine import plan
from concede.engine.case import Case
from concede.engine.kernel_columns import KernelArguments
from concede.engine.kernel_rows import KernelRanker
from concede.solvers.problem import Problem
from shops import shop, wish


@pytest.mark.parametrize("kept", [0, 1, 2**20])
def test_answers_are_the_same_whatever_is_kept(kept: int) -> None:
    catalog = shop(300, 3).catalog
    fresh, engine = RepairEngine(catalog), RepairEngine(catalog, plan_bytes=kept)
    for seed in range(12):
        query = wish(seed, 5)
        for _ in range(2):
            assert _record(engine, query) == _record(fresh, query.model_copy())


def _record(engine: RepairEngine, query: Query) -> dict[str, object]:
    found = engine.repair(query).record()
    return {name: value for name, value in found.items() if name != "elapsed_ms"}


def test_less_than_no_memory_is_refused() -> None:
    with pytest.raises(QueryError, match="plan_bytes is -1"):
        RepairEngine(shop(10, 1).catalog, plan_bytes=-1)


@pytest.mark.parametrize("rows", ["few", "many"])
def test_a_question_leaves_nothing_to_the_garbage_collector(monkeypatch, rows: str) -> None:
    """Row sets of a question in a circle would stay, megabytes of them, until it comes."""
    monkeypatch.setattr(plan, "KERNEL_ROWS", -1 if rows == "many" else 10**9)
    engine = RepairEngine(shop(5_000, 5).catalog, plan_bytes=0)
    engine.repair(wish(0, 6))
    # Objects are looked for by kind: what other tests and imports leave is not ours to count.
    gc.collect()
    gc.disable()
    try:
        before = _held()
        for seed in range(1, 30):
            engine.repair(wish(seed, 6))
        assert _held() == before
    finally:
        gc.enable()


def _held() -> dict[type, int]:
    """Return how many objects there are that hold row sets of one question."""
    kinds = (plan.Plan, Problem, Case, KernelArguments, KernelRanker)
    there = [type(one) for one in gc.get_objects()]
    return {kind: there.count(kind) for kind in kinds}
