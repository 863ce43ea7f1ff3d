"""Options of a repair: one object or keywords, and what is refused."""

from __future__ import annotations

import asyncio

import pytest

from concede import AsyncRepairEngine, ObservedEngine, QueryError, RepairEngine, RepairOptions
from shops import shop, wish

CATALOG = shop(3, 60).catalog


def test_options_and_keywords_ask_for_the_same() -> None:
    options, query = RepairOptions(policy="fewest", top=2, order="diverse"), wish(3, 5)
    engine, observed = RepairEngine(CATALOG), ObservedEngine(CATALOG)
    expected = engine.repair(query, policy="fewest", top=2, order="diverse").to_json()
    assert engine.repair(query, options).to_json() == expected
    assert engine.repair(
        query, RepairOptions(top=2), policy="fewest", order="diverse"
    ).to_json() == (expected)
    assert [answer.to_json() for answer in engine.repair_many([query], options)] == [expected]
    assert observed.repair(query, options).to_json() == expected

    async def ask() -> str:
        async with AsyncRepairEngine(engine) as asynchronous:
            return (await asynchronous.repair(query, options)).to_json()

    assert asyncio.run(ask()) == expected


@pytest.mark.parametrize(
    ("wrong", "says"),
    [({"top": 0}, "top is 0"), ({"policy": "nope"}, "no policy"), ({"order": "x"}, "no order")],
)
def test_options_that_do_not_exist_are_refused(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(QueryError, match=says):
        RepairOptions(**wrong)  # pyright: ignore[reportArgumentType]
    with pytest.raises(QueryError, match=says):
        RepairEngine(CATALOG).repair(wish(3, 5), **wrong)  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError):
        RepairEngine(CATALOG).repair(wish(3, 5), colour="red")  # pyright: ignore[reportCallIssue]
