"""The rows of a plan by kernels and by NumPy: the same answers, to the last byte."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede import Query, RepairEngine
from concede.catalogs.catalog import Catalog
from concede.engine import plan
from shops import shop, wish


@pytest.mark.parametrize("count", [0, 1, 63, 64, 300, 5_000])
def test_kernels_and_numpy_give_the_same_answers(monkeypatch, count):
    catalog = shop(count, count).catalog

    @settings(max_examples=120, deadline=None)
    @given(st.integers(0, 10_000), st.integers(1, 7), st.integers(1, 12), st.booleans())
    def check(seed: int, width: int, top: int, narrow: bool) -> None:
        query = wish(seed, width)
        if narrow:
            query = Query(base=query.constraints[:1], constraints=query.constraints[1:])
        judge(monkeypatch, catalog, query, top)

    check()


def judge(monkeypatch, catalog: Catalog, query: Query, top: int) -> None:
    answers = []
    for large in (0, 10**9):
        monkeypatch.setattr(plan, "KERNEL_ROWS", large - 1)
        engine = RepairEngine(catalog)
        answers.append(json.loads(engine.repair(query, top=top).to_json()))
    assert answers[0] == answers[1]
