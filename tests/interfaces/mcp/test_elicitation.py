"""The clarifying question: asked, declined, impossible; the same under both protocols."""

import random

import pandas as pd
import pytest

from agents import MODES, TIED, call, choosing, complaint, refusing
from concede import Catalog, Query, RepairEngine
from concede.catalogs.query.where_clause import parse_where
from concede.interfaces.mcp.elicitation import labels, tied
from concede.interfaces.mcp.replies import Choice
from concede.interfaces.mcp.tools import preferring


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("said", "dropped"), [("colour", [0]), ("price", [1])])
def test_the_user_decides_between_equal_repairs(server, mode, said, dropped):
    seen = []
    found = call(server, "repair", TIED, mode, choosing(said, seen)).structured_content
    assert found["repairs"][0]["dropped"] == dropped
    assert found["tie_broken_by"] == "user"
    assert [one["gives_way"] for one in found["choices"]] == [[0], [1]]
    [asked] = seen
    assert "matters least" in asked.message
    options = asked.requested_schema["properties"]["gives_way"]["enum"]
    assert options == ["colour = red (2 items without it)", "price ≤ 30 (2 items without it)"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "answer",
    [
        None,
        refusing("decline"),
        refusing("cancel"),
        refusing("accept", {"gives_way": "something else"}),
        refusing("accept", {"other": "field"}),
    ],
    ids=["unsupported", "declined", "cancelled", "no-choice", "wrong-field"],
)
def test_without_a_choice_the_first_is_taken_and_all_are_listed(server, mode, answer):
    reply = call(server, "repair", TIED, mode, answer)
    found = reply.structured_content
    assert not reply.is_error
    assert found["tie_broken_by"] == "order"
    assert found["repairs"][0]["dropped"] == [0]
    assert [one["says"] for one in found["choices"]] == ["colour = red", "price ≤ 30"]


def test_a_client_that_fails_to_ask_is_not_asked_again(server):
    async def broken(_, __):
        raise RuntimeError("no window")

    # From 2026-07-28 on the client asks by itself, and a failure of its own ends its call.
    found = call(server, "repair", TIED, "legacy", broken).structured_content
    assert found["tie_broken_by"] == "order"


def test_nobody_is_asked_when_that_is_not_wanted(server):
    seen = []
    found = call(server, "repair", {**TIED, "may_ask": False}, answer=choosing("price", seen))
    assert found.structured_content["tie_broken_by"] == "order"
    assert not seen


def test_the_caller_may_bring_the_choice(server):
    seen = []
    reply = call(server, "repair", {**TIED, "gives_way": [1]}, answer=choosing("colour", seen))
    assert reply.structured_content["repairs"][0]["dropped"] == [1]
    assert reply.structured_content["tie_broken_by"] == "caller"
    assert not seen


@pytest.mark.parametrize(
    ("change", "problem"),
    [({"gives_way": [2]}, "positions: 0 to 1"), ({"gives_way": [0], "hard": ["colour"]}, "hard")],
)
def test_a_choice_that_cannot_be_says_why(server, change, problem):
    assert problem in complaint(call(server, "repair", {**TIED, **change}))


@pytest.mark.parametrize(
    "change",
    [{"weights": {"price": 0.6}}, {"hard": ["price"]}, {"policy": "fewest"}],
)
def test_no_question_where_nothing_is_tied(server, change):
    seen = []
    found = call(server, "repair", {**TIED, **change}, answer=choosing("", seen))
    assert found.structured_content["choices"] == []
    assert found.structured_content["tie_broken_by"] is None
    assert not seen


def test_wishes_that_weigh_nothing_can_be_told_apart(server):
    arguments = {**TIED, "weights": {"price": 0, "colour": 0}}
    for said, dropped in (("colour", [0]), ("price", [1])):
        found = call(server, "repair", arguments, answer=choosing(said)).structured_content
        assert found["repairs"][0]["dropped"] == dropped


def test_any_tied_repair_becomes_the_only_cheapest():
    dice = random.Random(5)
    seen = 0
    for _ in range(20):
        columns = [f"c{i}" for i in range(6)]
        rows = {one: [dice.random() < 0.6 for _ in range(12)] for one in columns}
        catalog = Catalog.open(pd.DataFrame(rows))
        engine = RepairEngine(catalog, threads=1)
        wishes = parse_where(" AND ".join(f"{one} = TRUE" for one in columns), catalog.schema)
        query = Query(constraints=tuple(wishes))
        for choice in tied(engine.repair(query, top=6)):
            repairs = engine.repair(preferring(query, choice.gives_way), top=6).repairs
            assert list(repairs[0].dropped) == choice.gives_way
            assert repairs[1].cost > repairs[0].cost
            seen += 1
    assert seen > 10


def test_choices_that_read_alike_are_told_apart():
    one = Choice(gives_way=[0], says="price ≤ 30\n", count=1)
    same = [one, Choice(gives_way=[1], says="price ≤ 30", count=1)]
    assert list(labels(same)) == [
        "price ≤ 30 (1 item without it)",
        "price ≤ 30 (1 item without it) [2]",
    ]
