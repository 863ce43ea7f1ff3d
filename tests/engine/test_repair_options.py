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
    [
        ({"top": 0}, "top is 0"),
        ({"top": 1.5}, "top is 1.5"),
        ({"top": "5"}, "top is '5'"),
        ({"top": None}, "top is None"),
        ({"offset": 1.5}, "offset is 1.5"),
        ({"policy": "nope"}, "no policy"),
        ({"policy": ["closest"]}, "no policy"),
        ({"order": "x"}, "no order"),
        ({"deadline": "1"}, "deadline is '1'"),
        ({"sort": ["price"]}, "sort is 'price'"),
        ({"sort": None}, "sort is None"),
        ({"priority": [1], "policy": "priority"}, "priority is 1"),
    ],
)
def test_options_that_do_not_exist_are_refused(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(QueryError, match=says):
        RepairOptions(**wrong)  # pyright: ignore[reportArgumentType]
    with pytest.raises(QueryError, match=says):
        RepairEngine(CATALOG).repair(wish(3, 5), **wrong)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [({"solver": ["sql"]}, "no solver"), ({"sample": "all"}, "sample is 'all'")],
)
def test_options_that_an_engine_lacks_are_refused(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(QueryError, match=says):
        RepairEngine(CATALOG).repair(wish(3, 5), **wrong)  # pyright: ignore[reportArgumentType]
    with pytest.raises(QueryError, match="threads is '2'"):
        RepairEngine(CATALOG, threads="2")  # pyright: ignore[reportArgumentType]


def test_there_is_no_other_keyword() -> None:
    with pytest.raises(TypeError):
        RepairEngine(CATALOG).repair(wish(3, 5), colour="red")  # pyright: ignore[reportCallIssue]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [({"deadline": "1"}, "deadline is '1'"), ({"limit": "9"}, "limit"), ({"limit": 1.5}, "limit")],
)
def test_a_diagnosis_is_asked_for_with_numbers(wrong: dict[str, object], says: str) -> None:
    engine = RepairEngine(CATALOG)
    with pytest.raises(QueryError, match=says):
        engine.diagnose(wish(3, 5), **wrong)  # pyright: ignore[reportArgumentType]

    async def ask() -> None:
        async with AsyncRepairEngine(engine) as asynchronous:
            await asynchronous.diagnose(wish(3, 5), **wrong)  # pyright: ignore[reportArgumentType]

    with pytest.raises(QueryError, match=says):
        asyncio.run(ask())
