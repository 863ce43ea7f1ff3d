"""Which record answers a call, beside a slow twin that tries all of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.tools.calls import RecordedCall, ToolCall, ToolReply
from concede.dialogs.tools.matching import is_empty
from concede.dialogs.tools.sandbox import THRESHOLD, ReplaySandbox
from concede.dialogs.tools.text_vectors import similarity


def record(case: str, tool: str, result: Any, **arguments: Any) -> RecordedCall:
    return RecordedCall(case=case, tool=tool, arguments=arguments, result=result)


NEAR_MIXC = {"query": "charging station near MixC", "cur_adcode": "Ningbo", "city_limit": True}
RECORDS = [
    record("a", "search_poi", "far", query="museum of modern art"),
    record("a", "search_poi", "mixc", **NEAR_MIXC),
    record("b", "search_poi", "mixc of b", **NEAR_MIXC),
    record(
        "a", "get_navigation", "way", start_lon=121.536349, start_lat=29.9, end_lon=1, end_lat=2
    ),
    record("a", "get_navigation", "named", end_name="TELD Charging Station", end_lon=121.5),
    record("a", "search_user_profile", "hers", uid=""),
    record("b", "search_user_profile", "his", uid="u-77"),
    record("a", "tickets", "seats", show="The Nutcracker", row=3),
]
SANDBOX = ReplaySandbox(RECORDS)


def reply(case: str, tool: str, **arguments: Any) -> tuple[str, Any]:
    found = SANDBOX.reply(ToolCall(tool, arguments), case)
    return found.stage, found.result


def test_exact_is_of_the_case_itself_before_others():
    assert reply("a", "search_poi", **NEAR_MIXC) == ("exact", "mixc")
    assert reply("b", "search_poi", **NEAR_MIXC, page=2) == ("exact", "mixc of b")
    assert reply("c", "search_poi", **NEAR_MIXC) == ("exact", "mixc")
    assert reply("a", "search_user_profile", uid="u-77") == ("exact", "hers")


def test_a_record_without_arguments_answers_in_its_own_case_only():
    assert reply("a", "search_user_profile", uid="u-1") == ("exact", "hers")
    assert reply("b", "search_user_profile", uid="u-1") == ("miss", None)


def test_the_nearest_text_is_of_the_case_and_tool():
    reworded = {**NEAR_MIXC, "query": "Charging stations near the MixC!"}
    assert reply("a", "search_poi", **reworded) == ("nearest", "mixc")
    assert reply("b", "search_poi", **reworded) == ("nearest", "mixc of b")
    assert reply("c", "search_poi", **reworded) == ("miss", None)
    assert reply("a", "search_around_poi", **reworded) == ("miss", None)
    assert reply("a", "search_poi", query="fish market") == ("miss", None)
    # Only the query counts for what is nearest.
    assert reply("a", "search_poi", query="modern art museum", page=9) == ("nearest", "far")


def test_coordinates_are_no_text():
    place = {"start_lat": 29.9, "end_lon": 1, "end_lat": 2}
    assert reply("a", "get_navigation", start_lon="121.53634", **place) == ("exact", "way")
    assert reply("a", "get_navigation", start_lon=121.53635, **place) == ("miss", None)


def test_a_name_may_differ_a_little_where_the_rest_matches():
    said = {"end_name": "TELD charging stations"}
    assert reply("a", "get_navigation", end_lon=121.5, **said) == ("nearest", "named")
    assert reply("a", "get_navigation", end_lon=121.6, **said) == ("miss", None)


def test_tools_without_a_schema_are_replayed():
    assert reply("a", "tickets", show="Nutcracker", row="3") == ("nearest", "seats")
    assert reply("a", "tickets", show="Nutcracker", row=4) == ("miss", None)
    assert reply("a", "nothing", show="Nutcracker") == ("miss", None)
    assert ReplaySandbox([]).reply(ToolCall("x", {})) == ToolReply("miss")


class Echo:
    """Answers a tool by its name."""

    def __init__(self, tool: str) -> None:
        self.tool = tool

    def result(self, call: ToolCall) -> Any:
        return {"by": self.tool} if call.tool == self.tool else None


def test_the_first_simulator_that_can_answers_tools_with_a_schema():
    sandbox = ReplaySandbox(RECORDS, [Echo("get_rgeo"), Echo("search_poi"), Echo("strange")])
    assert sandbox.reply(ToolCall("search_poi", {"query": "fish"}), "a").stage == "simulated"
    assert sandbox.reply(ToolCall("get_rgeo", {})).result == {"by": "get_rgeo"}
    assert sandbox.reply(ToolCall("strange", {})).stage == "miss"
    assert sandbox.reply(ToolCall("search_poi", NEAR_MIXC), "a").stage == "exact"


QUERIES = st.sampled_from(["coffee shop", "coffee shops", "Cafe", "museum", "museum!", "", "art"])
CITIES = st.sampled_from([None, "", "Ningbo", " Ningbo ", "Paris"])
ARGUMENTS = st.fixed_dictionaries({}, optional={"query": QUERIES, "cur_adcode": CITIES})


@given(
    st.lists(st.tuples(st.sampled_from("ab"), ARGUMENTS), max_size=5),
    st.sampled_from("abc"),
    ARGUMENTS,
)
def test_stages_are_those_of_the_slow_twin(recorded, case, arguments):
    records = [
        RecordedCall(case=of, tool="search_poi", arguments=given, result=at)
        for at, (of, given) in enumerate(recorded)
    ]
    got = ReplaySandbox(records).reply(ToolCall("search_poi", arguments), case)
    assert (got.stage, got.result) == slow_reply(records, case, arguments)
    assert (
        got.record()
        == ReplaySandbox(records).reply(ToolCall("search_poi", arguments), case).record()
    )


def slow_reply(records: list[RecordedCall], case: str, arguments: dict[str, Any]):
    def fits(one: RecordedCall) -> bool:
        said = [name for name in one.arguments if not is_empty(one.arguments[name])]
        return (one.case == case or bool(said)) and all(
            str(arguments.get(name) or "").strip() == one.arguments[name].strip() for name in said
        )

    exact = [one for one in records if fits(one)]
    exact.sort(key=lambda one: one.case != case)
    if exact:
        return "exact", exact[0].result
    query = (arguments.get("query") or "").strip()
    scored = [
        (similarity(query, one.arguments.get("query") or ""), -one.result)
        for one in records
        if one.case == case
    ]
    best = max(scored, default=(0.0, 0))
    return ("nearest", -best[1]) if best[0] >= THRESHOLD else ("miss", None)


@pytest.mark.parametrize("arguments", [{"query": None}, {"query": ["coffee"]}, {"query": 7}])
def test_a_query_that_is_no_text(arguments):
    assert reply("a", "search_poi", **arguments) == ("miss", None)
