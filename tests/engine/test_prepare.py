"""Prepared queries: the same answers, also after writes; and what a question leaves in memory."""

from __future__ import annotations

import gc

import pyarrow as pa
import pytest

from concede import Catalog, Query, RepairEngine, UnknownColumn
from concede.catalogs.vectors import kernel_use
from concede.engine import bound_query
from concede.engine.ranking.kernel_arguments import KernelArguments
from concede.engine.ranking.kernel_ranking import KernelRanker
from concede.engine.repair_context import RepairContext
from concede.solvers.problem import Problem
from shops import shop, wish


def test_a_prepared_query_is_answered_as_any_other() -> None:
    engine = RepairEngine(shop(300, 3).catalog)
    for seed in range(12):
        query = wish(seed, 5)
        prepared = engine.prepare(query)
        assert engine.prepare(prepared) is prepared
        for _ in range(2):
            assert engine.repair(prepared).to_json() == engine.repair(query).to_json()
            assert engine.check(prepared) == engine.check(query)
            assert engine.diagnose(prepared).to_json() == engine.diagnose(query).to_json()
        (answer,) = engine.repair_many([prepared])
        assert answer.to_json() == engine.repair(query).to_json()


def test_a_prepared_query_is_bound_again_once_its_catalog_has_moved_on() -> None:
    catalog = Catalog.open(pa.table({"sku": [1], "price": [10]}), key="sku")
    engine, query = RepairEngine(catalog), Query.model_validate({"base": {"price": 7}})
    prepared = engine.prepare(query)
    assert engine.check(prepared).count == 0
    catalog.upsert([{"sku": 2, "price": 7}])
    assert engine.check(prepared).count == 1
    assert engine.repair(prepared).catalog_version == 2
    assert engine.prepare(prepared) is not prepared
    assert engine.prepare(prepared).query is query
    assert RepairEngine(shop(10, 1).catalog).check(prepared).count == 0


@pytest.mark.parametrize("part", ["constraints", "objectives"])
def test_what_does_not_fit_is_refused_when_it_is_prepared(part: str) -> None:
    wrong = {"column": "prise", "op": "<", "value": 1}
    objective = {"column": "prise", "direction": "min"}
    query = Query.model_validate({part: [wrong if part == "constraints" else objective]})
    with pytest.raises(UnknownColumn, match="prise"):
        RepairEngine(shop(10, 1).catalog).prepare(query)


@pytest.mark.slow
@pytest.mark.parametrize("rows", ["few", "many"])
def test_a_question_leaves_nothing_to_the_garbage_collector(monkeypatch, rows: str) -> None:
    """Row sets of a question in a circle would stay, megabytes of them, until it comes."""
    monkeypatch.setattr(kernel_use, "KERNEL_ROWS", -1 if rows == "many" else 10**9)
    engine = RepairEngine(shop(5_000, 5).catalog)
    engine.repair(wish(0, 6))
    # Objects are looked for by kind: what other tests and imports leave is not ours to count.
    gc.collect()
    gc.disable()
    try:
        before = _counted()
        for seed in range(1, 30):
            engine.repair(wish(seed, 6))
        assert _counted() == before
    finally:
        gc.enable()


def _counted() -> dict[type, int]:
    """Return how many objects there are that hold row sets of one question."""
    kinds = (bound_query.BoundQuery, Problem, RepairContext, KernelArguments, KernelRanker)
    there = [type(each) for each in gc.get_objects()]
    return {kind: there.count(kind) for kind in kinds}
