"""Fewer columns, pages, counts under both filters, and what was meant, beside an answer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede import parse_where
from example_counts import examples
from problems import problem_of

YEARS, PRICES = st.integers(1990, 2020), st.integers(1_000, 80_000)


@settings(max_examples=examples(15))
@given(year=YEARS, price=PRICES, make=st.sampled_from(["Toyota", "Lexus", "Ford"]))
def test_facets_are_counted_as_asked_and_as_repaired(client, cars, year, price, make):
    where = f"Year >= {year} AND MSRP <= {price}"
    body = {"base": {"Make": make}, "where": where, "facets": ["Model", "Year"]}
    answer = client.post("/v1/repair", json=body).json()
    asked = [*parse_where(f"Make = '{make}'", cars.schema), *parse_where(where, cars.schema)]
    as_asked = cars.slice(map(cars.bind, asked)).ids.tolist()
    for column, values in answer["facets"].items():
        repaired = counted(cars.query(answer["sql"]), column) if answer["count"] else {}
        present = counted(cars.fetch(as_asked), column)
        assert {each["value"]: each["count_repaired"] for each in values} == repaired
        told = {each["value"]: each["count"] for each in values if each["count"]}
        assert told == present


def counted(rows, column):
    values = [row[column] for row in rows if row[column] is not None]
    return {value: values.count(value) for value in set(values)}


def test_only_the_columns_asked_for_are_there(client):
    body = {"where": "Year >= 2016 AND MSRP <= 2000", "fields": ["msrp", "Make", "MSRP"]}
    answer = client.post("/v1/repair", json=body).json()
    assert answer["near_misses"]
    rows = [each["row"] for each in (*answer["items"], *answer["near_misses"])]
    rows += [each["witness"] for each in (*answer["repairs"], *answer["shifts"])]
    assert {tuple(row) for row in rows} == {("MSRP", "Make")}
    whole = client.post("/v1/repair", json=body | {"fields": None}).json()
    assert len(whole["items"][0]["row"]) == 16
    assert answer["sql"] == whole["sql"]


def test_pages_follow_each_other(client):
    body = {"where": "Year >= 2016", "sort": ["MSRP", "-Year"], "top": 5}
    whole = client.post("/v1/repair", json=body | {"top": 15}).json()["items"]
    pages = [
        client.post("/v1/repair", json=body | {"offset": n}).json()["items"] for n in (0, 5, 10)
    ]
    assert [item for page in pages for item in page] == whole
    prices = [item["row"]["MSRP"] for item in whole]
    assert prices == sorted(prices)
    last = client.post("/v1/repair", json={"where": "Year >= 2017 AND MSRP < 15000", "offset": 900})
    assert (last.json()["items"], last.json()["count"] > 0) == ([], True)


@pytest.mark.parametrize(
    ("body", "place", "nearest"),
    [
        ({"where": "Make = 'forrd'"}, "constraints", "Ford"),
        ({"base": {"Make": "Tyota"}, "where": "Year > 2000"}, "base", "Toyota"),
        ({"where": "Year > 2000 AND Make IN ('Lexsus')"}, "constraints", "Lexus"),
    ],
)
def test_what_was_meant_is_told(client, body, place, nearest):
    (meant,) = client.post("/v1/repair", json=body).json()["did_you_mean"]
    assert (meant["place"], meant["nearest"][0]) == (place, nearest)


def test_nothing_is_meant_where_something_matches(client):
    for where in ("Make = 'Ford'", "Make = 'Ford' AND Year > 2050", "Model = 'zzzzqqqq'"):
        assert "did_you_mean" not in client.post("/v1/repair", json={"where": where}).json()


@pytest.mark.parametrize(
    "more", [{"fields": ["prise"]}, {"facets": ["prise"]}, {"sort": "-prise"}, {"sort": [""]},
             {"offset": 1_001}, {"facets": ["Make"] * 21}, {"sort": ["Make"] * 17}]
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(client, more):
    problem_of(client.post("/v1/repair", json={"where": "Year > 2000"} | more), 422)
