"""Searches become constraints, or faults in words; nothing a visitor writes raises."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Constraint, QueryError
from concede.interfaces.http.page.constraints import (
    Question,
    format_value,
    parse_number,
    question_of,
)
from concede.interfaces.http.page.form_model import form_model
from concede.interfaces.http.page.query_string import parse_query_string, search_of
from shop_window import shop_window

CATALOG = shop_window()
FORM = form_model(CATALOG)
COLUMNS = [*CATALOG.columns, "nothing", "a.b", '"']


def ask(query: str) -> Question:
    return question_of(parse_query_string(query.encode()), FORM, CATALOG)


@pytest.mark.parametrize(
    ("text", "value"),
    [("38500", 38500), ("38,500", 38500), ("38 500.50", 38500.5), ("1'000'000", 1_000_000),
     ("-3", -3), ("+4", 4), (".5", 0.5), ("5.", 5.0), ("38\u202f500", 38500), (" 7 ", 7)],
)  # fmt: skip
def test_numbers_as_people_write_them(text: str, value: float):
    assert parse_number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "38,5",
        "1,00",
        "1e999",
        "1e",
        "e5",
        "nan",
        "inf",
        "0x10",
        "--1",
        "٣",
        "1.2.3",
        "9" * 41,
        "1/2",
    ],
)
def test_other_numbers_are_not_guessed(text: str):
    with pytest.raises(QueryError, match="is not a number"):
        parse_number(text)


@pytest.mark.parametrize(
    ("query", "constraint"),
    [
        ("is.maker=birch", {"column": "maker", "op": "==", "value": "Birch"}),
        ("is.maker=Birch&is.maker=Cedar", {"op": "in", "value": ("Birch", "Cedar")}),
        ("is.maker=Birch&is.maker=BIRCH", {"op": "==", "value": "Birch"}),
        ("is.fanless=true", {"op": "==", "value": "true"}),
        ("min.price_eur=1,000", {"op": ">=", "value": 1000}),
        ("max.weight=1.5", {"op": "<=", "value": 1.5}),
        ("has.name=birch", {"op": "ilike", "value": "%birch%"}),
        ("has.name=100%25", {"op": "contains", "value": "100%"}),
        ("min.released=2021-02-03", {"op": ">=", "value": datetime.date(2021, 2, 3)}),
        ("max.released=2021-02-03", {"op": "<=", "value": datetime.date(2021, 2, 3)}),
        ("max.checked=2024-05-02", {"op": "<", "value": datetime.date(2024, 5, 3)}),
        ("max.checked=9999-12-31", {"op": "<=", "value": datetime.date(9999, 12, 31)}),
        (
            "max.checked=2024-05-02T11:00",
            {"op": "<=", "value": datetime.datetime(2024, 5, 2, 11, 0)},
        ),
        ("is.maker=Oak&weight.is.maker=80&must=is.maker", {"weight": 0.8, "hard": True}),
        ("is.price_eur=900", {"op": "==", "value": "900"}),
    ],
)
def test_each_wish_is_one_constraint(query: str, constraint: dict[str, object]):
    found = ask(query)
    assert not found.faults
    (made,) = found.query.constraints
    assert {name: getattr(made, name) for name in constraint} == constraint


@pytest.mark.parametrize(
    ("query", "key", "words"),
    [
        ("min.price_eur=cheap", "min.price_eur", "“cheap” is not a number; write 38500 or 38.5."),
        ("min.released=soon", "min.released", "“soon” is not a day; write 2024-05-31."),
        ("is.makr=x", "is.makr", "There is no column “makr”; did you mean “maker”?"),
        ("is.MAKER=x", "is.MAKER", "There is no column “MAKER”; did you mean “maker”?"),
        ("has.price_eur=4", "has.price_eur", "is a number column"),
        ("is.fanless=perhaps", "is.fanless", "give true or false"),
        ("min.fanless=true", "min.fanless", "yes/no column"),
        ("is.name=" + "x" * 201, "is.name", "longer than 200 characters"),
        ("prefer=low.maker", "prefer.maker", "“maker” has no more and no less."),
        ("prefer=low.zzz", "prefer.zzz", "There is no column “zzz”."),
    ],
)
def test_what_cannot_be_is_told_kindly(query: str, key: str, words: str):
    found = ask(query + "&min.weight=1")
    assert list(found.faults) == [key]
    assert words in found.faults[key]
    assert [one.key for one in found.criteria] == ["min.weight"]


@given(
    st.dictionaries(
        st.builds(
            "{}.{}".format,
            st.sampled_from(["is", "has", "min", "max"]),
            st.sampled_from(COLUMNS),
        ),
        st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=3),
        max_size=6,
    )
)
def test_anything_is_a_constraint_or_a_fault(parameters: dict[str, list[str]]):
    search = search_of(parameters)
    found = question_of(search, FORM, CATALOG)
    assert len(found.criteria) == len(found.query.constraints)
    assert {one.key for one in found.criteria} | set(found.faults) == {
        one.key for one in search.criteria
    }


@pytest.mark.parametrize(
    ("bound", "text"),
    [(41000, "41000"), (38.5, "38.5"), (41000.0, "41000"), (1e-7, "1e-07"), (1e15, f"{10**15}"),
     (datetime.date(2024, 5, 1), "2024-05-01"),
     (datetime.datetime(2024, 5, 1, 9), "2024-05-01T09:00:00")],
)  # fmt: skip
def test_moved_bounds_go_back_into_the_address(bound: object, text: str):
    assert format_value(bound) == text


def test_a_wish_made_of_a_moved_number_means_that_number():
    for value in (0.1 + 0.2, 1 / 3, 2.4, 123456.789, 5e-05):
        constraint = Constraint(column="weight", op="<=", value=value)
        assert parse_number(format_value(constraint.value)) == value
