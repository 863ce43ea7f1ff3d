"""Every metric of Table 6 is what its words say, for any episodes."""

import pytest
from hypothesis import given

from aware_us_outcomes import ITEMS, outcome, outcomes, plain_measures, record
from concede.bench.aware_us.gold import gold_of
from concede.bench.aware_us.measures import MEASURES, measure, slot_rates


@given(outcomes())
def test_the_metrics_are_those_of_the_slow_twin(episodes):
    expected = plain_measures(episodes)
    assert {name: measure(episodes, name) for name in MEASURES} == pytest.approx(expected)


@given(outcomes())
def test_slots_are_counted_one_by_one(episodes):
    rates = slot_rates(episodes)
    for slot, (filled, asked) in rates.items():
        among = [episode for episode in episodes if slot in episode.slots]
        assert asked == len(among)
        assert filled == sum(slot in {c.column for c in entry.parsed} for entry in among)
    assert sum(asked for _, asked in rates.values()) == sum(
        len(episode.slots) for episode in episodes
    )


def test_the_car_counts_only_after_the_gold_relaxation():
    other = outcome(relaxed=("MSRP",))
    assert measure([other], "car_match") == 0
    assert measure([other], "car_match_ungated") == 1
    assert measure([outcome()], "car_match") == 1


def test_several_that_give_way_are_not_the_gold_one():
    assert measure([outcome(relaxed=("Year", "MSRP"))], "relax_match") == 0


def test_what_has_no_gold_is_not_compared():
    bare = outcome(gold=gold_of(record(relaxed=None, item=None), 0))
    assert measure([bare], "relax_match") is None
    assert measure([bare, outcome()], "relax_match") == 1
    assert measure([], "recommended") is None


def test_items_are_compared_as_the_published_metrics_do():
    as_float = {**ITEMS[0], "MSRP": 28000.0, "city mpg": 20}
    assert outcome(item=as_float).same_item
    assert not outcome(item={**ITEMS[0], "Year": 2017}).same_item


def test_items_of_another_catalog_are_compared_in_all_that_the_gold_one_has():
    gold = gold_of(record(recommended_car={"name": "Nord", "rent": 900}), 0)
    assert outcome(gold=gold, item={"name": "Nord", "rent": 900, "rooms": 2}).same_item
    assert not outcome(gold=gold, item={"name": "Nord", "rent": 950}).same_item
