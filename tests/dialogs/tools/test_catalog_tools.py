"""A small town as a catalog that answers map tools."""

from __future__ import annotations

import math
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog
from concede.catalogs.errors import UnknownColumn
from concede.dialogs.tools.calls import ToolCall
from concede.dialogs.tools.catalog_tools import CatalogTools, best_order

TOWN = """\
poi,name,lat,lon,city,type_1,rating,cost,opentime_week
p1,Corner Cafe,30.000,120.000,Ningbo City,coffee shop,4.1,30,Mo-Su 08:00-20:00
p2,Mall Coffee,30.010,120.000,Ningbo City,coffee shop,4.8,50,
p3,Art House,30.020,120.000,Ningbo City,museum,4.5,,
p4,Far Coffee,31.000,121.000,Hangzhou City,coffee shop,3.9,20,
p5,特来电充电站,30.001,120.001,Ningbo City,充电站,,,
p6,Nowhere Coffee,,,Ningbo City,coffee shop,,10,
"""


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> CatalogTools:
    path = tmp_path_factory.mktemp("town") / "town.csv"
    path.write_text(TOWN, encoding="utf-8")
    return CatalogTools(Catalog.open(path))


def asked(town: CatalogTools, tool: str, **arguments: Any) -> Any:
    return town.result(ToolCall(tool, arguments))


def keys(reply: Any) -> list[str]:
    return [poi["poiid"] for poi in reply["pois"]]


def test_places_by_their_words(town: CatalogTools):
    assert keys(asked(town, "search_poi", query="coffee shops")) == ["p1", "p2", "p4", "p6"]
    assert keys(asked(town, "search_poi", query="附近的充电站")) == ["p5"]
    assert keys(asked(town, "search_poi", query="art museum")) == ["p3"]
    assert asked(town, "search_poi", query="zoo") == {"count": 0, "pois": []}
    one = asked(town, "search_poi", query="mall coffee")["pois"][0]
    assert one == {
        "poiid": "p2", "name": "Mall Coffee", "x": 120.0, "y": 30.01, "city": "Ningbo City",
        "type_1": "coffee shop", "rating": 4.8, "cost": 50,
    }  # fmt: skip


def test_a_city_comes_first_or_alone(town: CatalogTools):
    there = {"query": "coffee", "cur_adcode": "Hangzhou"}
    assert keys(asked(town, "search_poi", **there, city_limit=True)) == ["p4"]
    assert keys(asked(town, "search_poi", **there))[0] == "p4"
    assert len(keys(asked(town, "search_poi", query="coffee", cur_adcode="330200"))) == 4


def test_places_around_a_point_by_distance_rating_or_price(town: CatalogTools):
    here = {"query": "coffee", "x": "120", "y": 30.0}
    near = asked(town, "search_around_poi", **here)
    assert [(poi["poiid"], poi["distance"]) for poi in near["pois"]] == [("p1", 0), ("p2", 1112)]
    assert keys(asked(town, "search_around_poi", **here, range="500")) == ["p1"]
    wide = {**here, "range": 500_000}
    assert keys(asked(town, "search_around_poi", **wide, sort_rule="2")) == ["p2", "p1", "p4"]
    assert keys(asked(town, "search_around_poi", **wide, sort_rule="31")) == ["p4", "p1", "p2"]
    assert keys(asked(town, "search_around_poi", **wide, sort_rule="4")) == ["p2", "p1", "p4"]


def test_places_along_a_way_and_between_points(town: CatalogTools):
    way = {"start_x": 120, "start_y": 30.03, "end_x": 120, "end_y": 29.99}
    assert keys(asked(town, "search_poi_along_route", keywords="coffee", **way)) == ["p2", "p1"]
    points = [{"x": 120.0, "y": 30.02}, {"x": 120.0, "y": 30.005}]
    between = {"query": "coffee", "pois": points, "range_meters": 1_200}
    assert keys(asked(town, "search_poi_around_multipoints", **between)) == ["p2", "p1"]
    every = {**between, "need_centrality_filter": True}
    assert keys(asked(town, "search_poi_around_multipoints", **every)) == ["p2"]


def test_ways_are_distances(town: CatalogTools):
    start = {"start_lon": 120, "start_lat": 30}
    drive = asked(town, "get_navigation", **start, end_lon=120, end_lat="30.01")
    assert drive == {"routes": [{"mode": "drive", "distance": 1112, "minutes": 3.3}]}
    assert asked(town, "get_navigation", **start, end_poiid="p2") == drive
    modes = asked(town, "get_navigation", **start, end_poiid="p2", mode=["步行", "公交"])["routes"]
    assert [(way["mode"], way["minutes"]) for way in modes] == [("walk", 18.1), ("公交", None)]
    legs = asked(town, "get_sequential_navigation", points=[[120, 30], [120, 30.01], [120, 30]])
    assert (len(legs["legs"]), legs["distance"]) == (2, 2224)
    order = asked(
        town,
        "optimize_visit_order",
        **start,
        via_points="120,30.02;120,30.01",
        via_names="far,near",
    )
    assert (order["order"], order["names"]) == ([1, 0], ["near", "far"])


def test_what_lies_at_a_point(town: CatalogTools):
    found = asked(town, "get_rgeo", x=120, y=30, range_meters=200)
    assert (found["city"], keys(found)) == ("Ningbo City", ["p1", "p5"])
    assert asked(town, "get_rgeo", x=0, y=0) == {"city": None, "count": 0, "pois": []}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_user_profile", {"uid": "x"}),
        ("ainative_kuake_search", {"query": "weather"}),
        ("search_poi", {}),
        ("search_poi", {"query": 7}),
        ("search_around_poi", {"query": "coffee", "x": 120}),
        ("search_around_poi", {"query": "coffee", "x": 1200, "y": 30}),
        ("get_navigation", {"start_lon": 120, "start_lat": 30, "end_poiid": "p6"}),
        ("get_navigation", {"start_lon": "nan", "start_lat": 30, "end_poiid": "p1"}),
        ("get_sequential_navigation", {"points": [[1, 2], "here"]}),
        ("get_sequential_navigation", {"points": [[1, 2]] * 101}),
        ("optimize_visit_order", {"start_lon": 1, "start_lat": 1, "via_points": "a,b"}),
        ("search_poi_around_multipoints", {"query": "coffee", "pois": {}}),
        ("get_rgeo", {}),
    ],
)
def test_what_it_cannot_answer(town: CatalogTools, tool: str, arguments: dict[str, Any]):
    assert town.result(ToolCall(tool, arguments)) is None


def test_a_catalog_without_places_is_searched_by_words(tmp_path: Path):
    path = tmp_path / "lamps.csv"
    path.write_text("id,colour\na,red lamp\nb,blue lamp\n", encoding="utf-8")
    tools = CatalogTools(Catalog.open(path), key="id")
    found = tools.result(ToolCall("search_poi", {"query": "red"}))["pois"]
    assert found == [{"poiid": "a", "name": None, "x": None, "y": None, "colour": "red lamp"}]
    assert (
        tools.result(ToolCall("search_around_poi", {"query": "red", "x": 0, "y": 0}))["count"] == 0
    )
    with pytest.raises(UnknownColumn):
        CatalogTools(Catalog.open(path), key="key").result(ToolCall("search_poi", {"query": "red"}))


POINTS = st.tuples(st.integers(0, 5).map(float), st.integers(0, 5).map(float))


@given(POINTS, st.lists(POINTS, min_size=1, max_size=4), st.none() | POINTS)
def test_the_best_order_is_the_shortest_of_all(start, via, end):
    def length(order: tuple[int, ...]) -> float:
        points = [start, *(via[at] for at in order), *([] if end is None else [end])]
        return sum(kilometres(one, other) for one, other in pairwise(points))

    got = best_order(start, via, end)
    shortest = min(length(order) for order in permutations(range(len(via))))
    assert sorted(got) == list(range(len(via)))
    assert length(tuple(got)) == pytest.approx(shortest)


def kilometres(one, other) -> float:
    """The spherical law of cosines, which is the haversine for points not too near."""
    (a, b), (c, d) = (map(math.radians, point) for point in (one, other))
    inner = math.sin(a) * math.sin(c) + math.cos(a) * math.cos(c) * math.cos(d - b)
    return 6371.0088 * math.acos(min(1.0, max(-1.0, inner)))


def test_many_points_are_visited_nearest_first():
    via = [(0.0, float(at)) for at in (5, 1, 9, 3, 7, 2, 8, 4)]
    assert best_order((0.0, 0.0), via, None) == [1, 5, 3, 7, 0, 4, 6, 2]
