"""Recorded arguments beside those of a call, with a slow twin for coordinates."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.tools.matching import is_coordinate, matches, same

COORDINATES = st.decimals(-180, 180, places=7, allow_nan=False)


def cut_by_hand(text: str) -> str:
    """Return a number's text with 5 digits after the point, without the sign of a zero."""
    whole, _, rest = text.partition(".")
    cut = f"{whole}.{rest.ljust(5, '0')[:5]}"
    return cut.removeprefix("-") if re.fullmatch(r"-0\.0+", cut) else cut


@given(COORDINATES, COORDINATES, st.sampled_from(("x", "start_lon", "end_lat", "lng", "endLat")))
def test_coordinates_are_cut_after_five_decimals(first, second, name):
    equal = cut_by_hand(f"{first:f}") == cut_by_hand(f"{second:f}")
    assert matches({name: str(first)}, {name: float(second)}) == equal
    assert matches({name: f"{first:f}"}, {name: f"{first:f}"[:-2]})


@given(COORDINATES, COORDINATES)
def test_so_are_points_in_a_text(first, second):
    recorded = f"{first:f},29.9034899"
    called = f" {second:f} , 29.90348 "
    equal = cut_by_hand(f"{first:f}") == cut_by_hand(f"{second:f}")
    assert matches({"location": recorded}, {"location": called}) == equal
    assert matches({"where": f"{recorded};1.5,2.5"}, {"where": f"{called};1.5,2.5"}) == equal


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab ", max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text("k", max_size=2), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from("abcd"), JSON), st.dictionaries(st.text("e"), JSON))
def test_what_is_empty_or_extra_does_not_count(arguments, extra):
    assert matches(arguments, {**extra, **arguments})
    said = {name: value for name, value in arguments.items() if value not in (None, "", [], {})}
    assert matches(arguments, said)
    for name in [name for name in said if str(said[name]).strip()]:
        assert not matches(arguments, {other: said[other] for other in said if other != name})


@pytest.mark.parametrize(
    ("recorded", "called"),
    [
        ({"query": " MixC "}, {"query": "MixC\n"}),
        ({"range": "5000"}, {"range": 5000}),
        ({"range": 5000.0}, {"range": "5000"}),
        ({"x": 121.536349}, {"x": "121.53634"}),
        ({"x": -73.985649}, {"x": -73.98564}),
        ({"x": "-0.000001"}, {"x": 0}),
        ({"pois": [{"x": 1.1234567, "y": 2}]}, {"pois": [{"x": 1.12345, "y": 2.0, "name": "A"}]}),
        ({"points": [[1.1234567, 2.0]]}, {"points": [[1.12345, 2]]}),
        ({"points": '[{"lat": 1.1234567}]'}, {"points": [{"lat": 1.12345}]}),
        ({"via_points": "1.1234567,2.5;3.5,4.5;"}, {"via_points": "1.12345,2.5;3.5,4.5"}),
        ({"mode": None, "name": "  ", "tags": [], "more": {}}, {}),
    ],
)
def test_these_match(recorded, called):
    assert matches(recorded, called)


@pytest.mark.parametrize(
    ("recorded", "called"),
    [
        ({"query": "MixC"}, {"query": "mixc"}),
        ({"query": "MixC"}, {}),
        ({"query": "MixC"}, {"query": None}),
        ({"x": 121.536349}, {"x": 121.53635}),
        ({"x": 121.53635}, {"x": 121.536349}),
        ({"range": 5000.0000001}, {"range": 5000}),
        ({"flag": True}, {"flag": 1}),
        ({"flag": False}, {"flag": ""}),
        ({"flag": False}, {}),
        ({"count": 0}, {}),
        ({"lines": "1,2"}, {"lines": "01,2"}),
        ({"points": [[1.0, 2.0]]}, {"points": [[1.0, 2.0], [3.0, 4.0]]}),
        ({"points": [[1.0, 2.0], [3.0, 4.0]]}, {"points": [[3.0, 4.0], [1.0, 2.0]]}),
        ({"x": "here"}, {"x": 1.0}),
        ({"a": {"b": 1}}, {"a": {"c": 1}}),
        ({"x": "nan"}, {"x": "inf"}),
    ],
)
def test_these_do_not(recorded, called):
    assert not matches(recorded, called)


def test_names_of_coordinates():
    yes = "x y end_x start_lat location lon lng Longitude via_points startLon origin x1"
    no = "query max_price index box latency platform xy relation mode points_of_sale"
    assert all(map(is_coordinate, yes.split()))
    assert not any(map(is_coordinate, no.split()))


@pytest.mark.parametrize("text", ["[" * 50_000, "{" * 50_000, "1," * 40_000, "9" * 50_000, "1e99"])
def test_hostile_texts_are_texts(text):
    assert same(text, text)
    assert not same(text, text[:-1] + "x")
