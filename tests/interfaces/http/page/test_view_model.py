"""Every link does what it says: a way promises a count, and following it gives that count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import RepairEngine, Status
from concede.interfaces.http.page.constraints import question_of
from concede.interfaces.http.page.form_model import form_model
from concede.interfaces.http.page.query_string import POLICIES, Search, parse_query_string
from concede.interfaces.http.page.view_model import Outcome, ask_engine
from shop_window import MAKERS, shop_window

ENGINE = RepairEngine(shop_window())
FORM = form_model(ENGINE.catalog)
DEADLINE = 30.0

WISHES = {
    "is.maker": st.sampled_from(MAKERS),
    "max.price_eur": st.integers(380, 1000).map(str),
    "min.price_eur": st.integers(900, 1700).map(str),
    "max.weight": st.sampled_from(["1.2", "1.3", "1.5", "1.9"]),
    "is.fanless": st.sampled_from(["true", "false"]),
    "min.released": st.sampled_from(["2021-06-01", "2022-01-20", "2022-02-15"]),
    "max.checked": st.sampled_from(["2024-05-02", "2024-05-01T15:30"]),
    "has.name": st.sampled_from(["birch", "1", "zebra"]),
    "is.price_eur": st.sampled_from(["900", "1405"]),
    "not.maker": st.sampled_from(MAKERS),
    "under.price_eur": st.integers(380, 1000).map(str),
    "over.weight": st.sampled_from(["1.2", "1.5"]),
    "over.released": st.sampled_from(["2021-06-01", "2022-01-20"]),
    "under.checked": st.sampled_from(["2024-05-02", "2024-05-01T15:30"]),
}


def see(search: Search) -> Outcome:
    return ask_engine(ENGINE, search, question_of(search, FORM, ENGINE.catalog), DEADLINE)


def see_address(query: str) -> Outcome:
    return see(parse_query_string(query.removeprefix("?").encode()))


@st.composite
def addresses(draw: st.DrawFn) -> str:
    keys = draw(st.lists(st.sampled_from(list(WISHES)), min_size=2, max_size=5, unique=True))
    parts = [f"{key}={draw(WISHES[key])}" for key in keys]
    parts += [f"weight.{key}={draw(st.integers(0, 100))}" for key in keys if draw(st.booleans())]
    parts += [f"must={key}" for key in keys if draw(st.integers(0, 4)) == 0]
    parts.append(f"policy={draw(st.sampled_from(POLICIES))}")
    return "&".join(parts)


@given(addresses())
def test_following_a_way_gives_what_it_promised(query: str):
    outcome = see_address(query)
    for way in outcome.alternatives:
        followed = see_address(way.search.address)
        assert followed.answer.count == way.count > 0
        assert followed.relaxed_keys == {criterion.key for criterion in way.dropped}
        assert not followed.question.faults


@given(addresses())
def test_what_is_put_back_is_met_by_every_item(query: str):
    outcome = see_address(query)
    for key in outcome.relaxed_keys:
        again = see(outcome.search.put_back(key))
        assert key not in again.relaxed_keys
        position = [criterion.key for criterion in again.question.criteria].index(key)
        assert all(position in item.meets for item in again.answer.items)


@given(addresses())
def test_a_conflict_cannot_be_met_and_less_of_it_can(query: str):
    outcome = see_address(query)
    for conflict in outcome.conflicts:
        keys = [criterion.key for criterion in conflict]
        assert _count(outcome, keys) == 0
        assert all(_count(outcome, [other for other in keys if other != key]) for key in keys)


def _count(found: Outcome, keys: list[str]) -> int:
    search = found.search
    for entry in found.search.criteria:
        if entry.key not in keys:
            search = search.without(entry.key)
    question = question_of(search, FORM, ENGINE.catalog).query
    return ENGINE.check(question).count


CLASH = "is.maker=Birch&is.fanless=true&max.price_eur=600"


def test_what_matters_least_gives_way():
    weighed = "weight.is.maker={}&weight.max.price_eur={}&weight.is.fanless={}"
    assert see_address(f"{CLASH}&{weighed.format(50, 50, 40)}").relaxed_keys == {"is.fanless"}
    others = {"is.maker", "max.price_eur"}
    assert see_address(f"{CLASH}&{weighed.format(40, 40, 90)}").relaxed_keys == others


def test_choosing_who_gives_way_is_remembered_in_the_address():
    outcome = see_address(f"{CLASH}&give=is.maker&give=max.price_eur")
    assert outcome.relaxed_keys == {"is.maker", "max.price_eur"}
    assert outcome.answer is not outcome.before_choice
    offered = [[criterion.key for criterion in way.dropped] for way in outcome.alternatives]
    assert ["is.fanless"] in offered
    assert ["is.maker", "max.price_eur"] not in offered


def test_a_choice_that_does_not_help_is_not_carried_out():
    outcome = see_address(f"{CLASH}&give=max.price_eur")
    assert outcome.answer is outcome.before_choice
    assert outcome.relaxed_keys == {"is.fanless"}


def test_a_choice_is_not_needed_where_all_is_met():
    outcome = see_address("is.maker=Birch&give=is.maker")
    assert outcome.answer.status is Status.SAT_NO_RELAXATION
    assert not outcome.relaxed_keys


def test_musts_that_clash_are_a_dead_end_and_the_way_out_works():
    outcome = see_address(f"{CLASH}&must=is.maker&must=is.fanless&must=max.price_eur")
    assert outcome.is_dead_end
    assert not outcome.alternatives
    assert see(outcome.search.optional("is.fanless")).relaxed_keys == {"is.fanless"}


def test_an_exact_number_is_stretched_to_a_range():
    outcome = see_address("is.price_eur=1405&is.maker=Maple")
    ranges = [way for way in outcome.alternatives if way.shifted]
    assert ranges
    followed = see(ranges[0].search)
    assert {
        criterion.kind for criterion in followed.search.criteria if criterion.column == "price_eur"
    } == {
        "min",
        "max",
    }
    assert followed.answer.status is Status.SAT_NO_RELAXATION


@pytest.mark.parametrize("policy", ["least-weight", "fewest"])
def test_the_policy_is_carried_out(policy: str):
    outcome = see_address(f"{CLASH}&policy={policy}&weight.is.fanless=95&weight.is.maker=5"
                        "&weight.max.price_eur=5")  # fmt: skip
    gone = {"least-weight": {"is.maker", "max.price_eur"}, "fewest": {"is.fanless"}}
    assert outcome.relaxed_keys == gone[policy]
