"""Places and hours on the command line: what is found, and what is refused in one line."""

import json
from pathlib import Path

import pytest

SHOPS = """\
name,y,x,times,price
Fig,40.7512,-73.9790,Mo-Fr 07:00-18:00,4.5
Owl,40.7587,-73.9787,Mo-Su 18:00-02:00,6
Tea,40.7480,-73.9850,"Mo-Su 10:00-13:00,15:00-22:00",5.25
"""
NAMED = ("--location", "y,x", "--hours", "times")
NEAR = "distance_km(40.75, -73.98) <= 0.5"


@pytest.fixture
def shops(folder: Path) -> Path:
    (folder / "shops.csv").write_text(SHOPS, encoding="utf-8")
    return folder


def test_where(shops, concede):
    asked = f"{NEAR} AND open_at('2026-05-01 22:30')"
    outcome = concede("repair", "--catalog", "shops.csv", *NAMED, "--where", asked)
    assert outcome.code == 0
    assert "open at 2026-05-01 22:30 → open at 2026-05-01 21:45" in outcome.out


def test_instances_and_weights_by_the_columns(shops, concede):
    constraints = [
        {"op": "within", "value": [40.75, -73.98, 0.5], "weight": 0.9},
        {"op": "open at", "value": "2026-05-01 22:30", "weight": 0.1},
    ]
    record = {"base": [], "constraints": constraints}
    (shops / "asked.jsonl").write_text(json.dumps(record), encoding="utf-8")
    files = ("--catalog", "shops.csv", "--instances", "asked.jsonl")
    outcome = concede("repair", *files, *NAMED, "--format", "ndjson")
    answer = json.loads(outcome.out)
    assert answer["constraints"] == constraints
    assert [each["op"] for each in answer["relaxed"]] == ["open at"]
    where = (*NAMED, "--where", f"{NEAR} AND open_at('2026-05-01 22:30')", "--format", "json")
    weighed = concede("repair", "--catalog", "shops.csv", *where, "--weight", "times=0.9")
    assert [each["op"] for each in json.loads(weighed.out)["relaxed"]] == ["within"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("distance_km(91, 0) <= 1", "no latitude|not a latitude"),
        ("distance_km(0, 0) <= -1", "not a distance"),
        ("distance_km(0, NaN) <= 1", "cannot parse"),
        ("distance_km(0) < 1", "distance_km(lat, lon) <= km"),
        ("distance_km(0, 0) < -1 OR price > 1", "not a distance"),
        ("distance_km(91, 0) > 1", "not a latitude"),
        ("NOT open_at('2026-02-30 10:00')", "no moment"),
        ("travel_minutes(0, 0, 'walk') > -3", "not minutes"),
        ("travel_minutes('home', 'walk') <= 3", "no travel times"),
        ("open_at('2026-02-30 10:00')", "no moment"),
        ("travel_minutes(0, 0, 'fly') <= 1", "walk, bike, drive"),
    ],
)
def test_what_cannot_be_is_one_line(asked, said, shops, concede):
    outcome = concede("repair", "--catalog", "shops.csv", *NAMED, "--where", asked)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert any(part in outcome.err for part in said.split("|"))


@pytest.mark.parametrize("value", ["[91, 0, 1]", "[0, 0, -1]", "[NaN, 0, 1]", '"here"'])
def test_bad_records_are_one_line(value, shops, concede):
    record = f'{{"base": [], "constraints": [{{"op": "within", "value": {value}}}]}}'
    (shops / "asked.jsonl").write_text(record, encoding="utf-8")
    files = ("--catalog", "shops.csv", "--instances", "asked.jsonl", *NAMED)
    outcome = concede("repair", *files)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (3, "", 1)
    assert "asked.jsonl" in outcome.err


def test_columns_that_are_not_there(shops, concede):
    for options, said in (
        ((), "--location"),
        (("--location", "y"), "two columns"),
        (("--location", "y,z"), "unknown column 'z'"),
        (("--location", "name,x"), "no degrees"),
    ):
        outcome = concede("repair", "--catalog", "shops.csv", *options, "--where", NEAR)
        assert (outcome.code, outcome.err.count("\n")) == (2, 1)
        assert said in outcome.err


def test_inside_or_and_not(shops, concede):
    asked = "(distance_km(40.75, -73.98) > 5 OR NOT open_at('2026-05-01 22:30')) AND price <= 2"
    named = ("--catalog", "shops.csv", *NAMED, "--format", "json")
    answer = json.loads(concede("repair", *named, "--where", asked).out)
    assert answer["status"] == "SAT_after_relaxation"
    assert answer["repairs"][0]["count"] == 2


def test_measured_minutes(shops, concede):
    (shops / "times.csv").write_text("origin,name,mode,minutes\nhome,Tea,walk,4\n")
    named = ("--catalog", "shops.csv", *NAMED, "--travel-times", "times.csv", "--where")
    outcome = concede("repair", *named, "travel_minutes('home', 'walk') <= 3")
    assert outcome.code == 0
    assert "walk from home ≤ 3 min (measured) → ≤ 4 min" in " ".join(outcome.out.split())
    (shops / "times.csv").write_text("origin,name,mode,minutes\nhome,Tea,walk,-4\n")
    outcome = concede("repair", *named, "travel_minutes('home', 'walk') <= 3")
    assert (outcome.code, outcome.err.count("\n")) == (3, 1)
    assert "line 2" in outcome.err
