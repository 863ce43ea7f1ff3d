"""Places and hours that cannot be: a problem of status 4xx in one line, over HTTP and MCP."""

import math
from typing import Any

import pyarrow as pa
import pytest

from agents import call, complaint
from concede import Catalog
from concede.interfaces.mcp.server import create_server

SHOPS = {"name": ["Fig"], "lat": [40.7], "lon": [-73.9], "hours": ["24/7"], "price": [3]}
SHOP, PLAIN = Catalog.open(pa.table(SHOPS)), Catalog.open(pa.table({"a": [1], "name": ["x"]}))

WHERE = {
    "distance_km(91, 0) <= 1": "latitude",
    "distance_km(0, 181) <= 1": "longitude",
    "distance_km(0, 0) <= -1": "distance",
    "distance_km(0, 0) < -1": "distance",
    "distance_km(0, 0) BETWEEN -1 AND 2": "distance",
    "distance_km(91, 0) > 1 OR price < 2": "latitude",
    "distance_km(0, 0) > -1 OR price < 2": "distance",
    "NOT distance_km(0, NaN) < 1": "not written like that",
    "open_at('2026-02-30 10:00')": "no moment",
    "NOT open_at('2026-02-30 10:00')": "no moment",
    "open_at('9999-12-31 23:00')": "no moment",
    "travel_minutes(0, 0, 'fly') <= 5": "no way to travel",
    "travel_minutes(0, 0, 'walk') <= -5": "not minutes",
    "travel_minutes('home', 'walk') <= 5": "no travel times",
}
CONSTRAINTS: list[tuple[dict[str, Any], str]] = [
    ({"op": "within", "value": [91, 0, 1]}, "latitude"),
    ({"op": "within", "value": [0, 0, -1]}, "distance"),
    ({"op": "within", "value": [0, 0]}, "lat, lon, km"),
    ({"op": "open at", "value": "2026-13-01 10:00"}, "no moment"),
    ({"op": "reachable", "value": [0, 0, "fly", 5]}, "no way to travel"),
    ({"op": "reachable", "value": [0, 0, "walk", -5]}, "not minutes"),
    ({"op": "reachable", "value": ["ho)me", "walk", 5]}, "no name of an origin"),
    ({"column": "distance_km(91, 0)", "op": ">", "value": 1}, "latitude"),
    ({"column": "distance_km(0, 0)", "op": ">", "value": -1}, "distance"),
    ({"column": "distance_km(0, 0)", "op": "==", "value": 1}, "does not fit"),
    ({"op": "sql", "value": "distance_km(0, 0) > -1 OR price < 2"}, "distance"),
]


def problem(client: Any, body: dict[str, Any]) -> str:
    answer = client.post("/v1/repair", json=body)
    assert 400 <= answer.status_code < 500
    found = answer.json()
    assert found["status"] == answer.status_code
    text = f"{found.get('detail', '')} {found.get('hint', '')}"
    assert "\n" not in text
    return text


@pytest.mark.parametrize("where", WHERE)
def test_where_over_http_and_mcp(where: str, service: Any) -> None:
    assert WHERE[where] in problem(service({"shop": SHOP}), {"where": where})
    assert WHERE[where] in complaint(call(create_server(SHOP), "repair", {"where": where}))


@pytest.mark.parametrize(("constraint", "says"), CONSTRAINTS)
def test_constraints_over_http_and_mcp(constraint: dict[str, Any], says: str, service: Any) -> None:
    assert says in problem(service({"shop": SHOP}), {"constraints": [constraint]})
    wishes = {"constraints": [constraint]}
    assert says in complaint(call(create_server(SHOP), "repair", wishes))


def test_not_a_number_over_http(service: Any) -> None:
    for number in ("NaN", "Infinity", "1e999"):
        body = f'{{"constraints": [{{"op": "within", "value": [{number}, 0, 1]}}]}}'
        answer = service({"shop": SHOP}).post("/v1/repair", content=body)
        assert 400 <= answer.status_code < 500
    nan = {"constraints": [{"op": "within", "value": [math.nan, 0, 1]}]}
    assert complaint(call(create_server(SHOP), "repair", nan))


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("distance_km(1, 0) <= 1", "no location columns"),
        ("distance_km(1, 0) > 1 OR a = 1", "no location columns"),
        ("distance_km(1, 0) > 1", "no location columns"),
        ("NOT open_at('2026-05-01 10:00')", "no opening hours"),
    ],
)
def test_without_columns_of_places(where: str, says: str, service: Any) -> None:
    assert says in problem(service({"plain": PLAIN}), {"where": where})
    assert says in complaint(call(create_server(PLAIN), "repair", {"where": where}))
