"""Breakdowns, tool rates, and runs compared."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.bench.mapsat.figures import (
    ScoredDialogue,
    breakdown,
    comparison,
    domains_of,
    means,
    summary,
    tool_rates,
)
from concede.bench.mapsat.scores import Scores
from concede.catalogs.errors import QueryError

UNIT = st.integers(0, 4).map(lambda quarters: quarters / 4)
SCORES = st.builds(Scores, UNIT, UNIT, UNIT, UNIT, UNIT, UNIT, UNIT, st.none() | UNIT)
DIALOGUES = st.lists(
    st.builds(
        ScoredDialogue,
        st.uuids().map(str),
        SCORES,
        st.lists(st.sampled_from(("search_poi", "search_user_profile"))).map(tuple),
        st.sets(st.sampled_from(("search", "navigation"))).map(tuple),
        st.just(("context",)),
    ),
    max_size=6,
)


@given(DIALOGUES)
def test_groups_hold_all_their_dialogues(scored: list[ScoredDialogue]):
    for name, row in breakdown(scored, lambda one: one.domains).items():
        of = [one for one in scored if name in one.domains]
        assert row["tasks"] == len(of)
        assert row["IISR"] == pytest.approx(fmean(one.scores.iisr for one in of), abs=1e-4)
    found = summary(scored)
    assert found["tasks"] == len(scored)
    if scored:
        low, high = found["intervals"]["SES"]
        assert low <= found["SES"] + 1e-4
        assert found["SES"] <= high + 1e-4


@given(DIALOGUES)
def test_a_profile_tool_is_first_where_nothing_was_called_before(scored: list[ScoredDialogue]):
    rates = tool_rates(scored)
    first = [one for one in scored if list(one.called)[:1] == ["search_user_profile"]]
    if scored:
        assert rates["profile_first"]["share"] == pytest.approx(len(first) / len(scored), abs=1e-4)
        assert rates["profile"]["share"] >= rates["profile_first"]["share"]
    assert sorted(rates["called"]) == sorted({tool for one in scored for tool in one.called})


def dialogue(name: str, ses: float) -> ScoredDialogue:
    return ScoredDialogue(name, Scores(1, 1, 1, 1, 1, 0.5, ses))


def test_runs_are_compared_on_the_tasks_both_have():
    first = [dialogue("a", 0.2), dialogue("b", 0.4), dialogue("c", 1.0)]
    second = [dialogue("b", 0.5), dialogue("a", 0.3), dialogue("d", 0.0)]
    found = comparison(first, second)
    assert found["tasks"] == 2
    assert found["SES"] == {"difference": 0.1, "interval": [0.1, 0.1]}
    assert found["CEI"] == {"difference": None, "interval": None}
    with pytest.raises(QueryError, match="no task in both"):
        comparison(first[:1], second[2:])


def test_figures_are_not_defined_without_dialogues():
    assert set(means([]).values()) == {None}
    assert tool_rates([])["profile"] == {"share": None, "interval": None}


def test_domains_follow_from_the_tools():
    assert domains_of(["get_navigation", "search_poi"]) == ("search", "navigation")
    assert domains_of(["search_user_profile"]) == ()
