"""Amounts as people say them, offered in the unit and on the scale of the column."""

from __future__ import annotations

from datetime import date

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.mention import Option
from concede.dialogs.extraction.mentions import find_mentions
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import index_of
from concede.dialogs.language.units import column_unit, unit_kinds

TODAY = date(2026, 11, 22)
COLUMNS = {
    "price (GBP)": [15, 120, 9000],
    "prc_kwh": [0.2, 0.4, 0.9],
    "ask_eur": [12_000, 40_000, 250_000],
    "weight (kg)": [0.2, 2.5, 9.0],
    "bottle (ml)": [15, 50, 125],
    "walk_mins": [3, 20, 50],
    "min_term_mths": [1, 12, 24],
    "notice_days": [0, 30, 90],
    "wrnty_m": [12, 24, 60],
    "age_y": [3, 12, 25],
    "Years in practice": [1, 12, 38],
    "year": [1955, 1988, 2024],
    "seats": [2, 5, 12],
    "Added on": [date(2023, 1, 1), date(2025, 1, 1), date(2026, 10, 30)],
}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog.open(pa.table({name: values * 4 for name, values in COLUMNS.items()}))


def offered(catalog: Catalog, text: str, question: str = "") -> list[Option]:
    reading = Reading(text, 0, index_of(catalog), {}, TODAY, question)
    return [option for mention in find_mentions(reading) for option in mention.options]


@pytest.mark.parametrize(
    ("text", "column", "values"),
    [
        ("under a hundred and twenty", "price (GBP)", (120,)),
        ("hundred and ten at a push", "price (GBP)", (110,)),
        ("twelve hundred tops", "price (GBP)", (1200,)),
        ("a hundred and twenty thousand", "ask_eur", (120_000,)),
        ("not more than two fifty", "price (GBP)", (250,)),
        ("one eighty is my limit", "price (GBP)", (180,)),
        ("a couple of grand", "price (GBP)", (2000,)),
        ("half a grand", "price (GBP)", (500,)),
        ("two and a half grand", "price (GBP)", (2500,)),
        ("less than a tenner", "price (GBP)", (10,)),
        ("a fiver if I must", "price (GBP)", (5,)),
        ("two hundred's plenty", "price (GBP)", (200,)),
        ("fifteen pounds fifty", "price (GBP)", (15.5,)),
        ("22 euro fifty", "price (GBP)", (22.5,)),
        ("EUR 400", "price (GBP)", (400,)),
        ("nothing over 45 cents", "prc_kwh", (0.45,)),
        ("forty cents or less", "prc_kwh", (0.4,)),
        ("45p", "prc_kwh", (0.45,)),
        ("five to seven grand", "price (GBP)", (5000, 7000)),
        ("1-2k", "price (GBP)", (1000, 2000)),
        ("two to three hundred", "price (GBP)", (200, 300)),
        ("maybe forty fifty pounds", "price (GBP)", (40, 50)),
        ("between five hundred and eight hundred pounds", "price (GBP)", (500, 800)),
        ("between five hundred and twelve hundred", "price (GBP)", (500, 1200)),
        ("between nought and five pounds", "price (GBP)", (0, 5)),
        ("between £4,000 and about £6,000", "price (GBP)", (4000, 6000)),
        ("less than a quarter of a kilo", "weight (kg)", (0.25,)),
        ("2 and a half kilos", "weight (kg)", (2.5,)),
        ("half a kilo", "weight (kg)", (0.5,)),
        ("4 point 5 kilos", "weight (kg)", (4.5,)),
        ("under 10 lbs", "weight (kg)", (4.535924,)),
        ("about fifty mil", "bottle (ml)", (50,)),
        ("within a quarter of an hour", "walk_mins", (15,)),
        ("an hour and a quarter", "walk_mins", (75,)),
        ("an hour and twenty minutes", "walk_mins", (80,)),
        ("two hours 15 minutes", "walk_mins", (135,)),
        ("sixty thou", "ask_eur", (60_000,)),
        ("fifteen k", "price (GBP)", (15_000,)),
        ("a two or three seater", "seats", (2,)),
        ("three quarters of an hour", "walk_mins", (45,)),
        ("12 months tops", "min_term_mths", (12,)),
        ("half a year", "min_term_mths", (6,)),
        ("six min", "min_term_mths", (6,)),
        ("a month's notice", "notice_days", (30,)),
        ("a fortnight's notice", "notice_days", (14,)),
        ("at least three years' warranty", "wrnty_m", (36,)),
        ("a two-year guarantee", "wrnty_m", (24,)),
        ("ten years old", "age_y", (10,)),
        ("20 years of it", "Years in practice", (20,)),
        ("half a dozen seats", "seats", (6,)),
        ("a pair of seats", "seats", (2,)),
        ("five six seats", "seats", (5, 6)),
    ],
)
def test_an_amount_is_offered_as_the_column_holds_it(
    catalog: Catalog, text: str, column: str, values: tuple[float, ...]
) -> None:
    assert (column, values) in {(option.column, option.values) for option in offered(catalog, text)}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("no older than five years", (2021,)),
        ("from the last two decades", (2006,)),
        ("this year or last", (2025,)),
        ("three to five years old", (2021, 2023)),
        ("from the sixties", (1960, 1969)),
        ("something 80s", (1980, 1989)),
        ("late eighties", (1985, 1989)),
        ("the early 1970s", (1970, 1974)),
        ("twenty eighteen", (2018,)),
        ("nineteen ninety five", (1995,)),
    ],
)
def test_a_year_is_counted_from_today(catalog: Catalog, text: str, values: tuple[int, ...]) -> None:
    assert values in [option.values for option in offered(catalog, text) if option.column == "year"]


@pytest.mark.parametrize("text", ["under 40 grams", "at most 60 watts", "no more than 90 minutes"])
def test_an_amount_in_a_unit_of_another_kind_is_no_price(catalog: Catalog, text: str) -> None:
    amounts = {option.column for option in offered(catalog, text) if option.how == "number"}
    assert not {"price (GBP)", "ask_eur"} & amounts


def test_decades_are_no_prices(catalog: Catalog) -> None:
    assert {option.column for option in offered(catalog, "the nineties")} == {"year", "Added on"}


def test_a_short_answer_is_in_the_unit_that_was_asked_about(catalog: Catalog) -> None:
    question = "Are two years of warranty enough?"
    options = offered(catalog, "no, three", question)
    assert ("wrnty_m", (36,)) in {(option.column, option.values) for option in options}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("no older than six months", "2026-05-22"),
        ("over a year ago", "2025-11-22"),
        ("added within the past month", "2026-10-22"),
        ("in the last fortnight", "2026-11-08"),
    ],
)
def test_days_of_a_column_of_what_has_been_are_counted_back(
    catalog: Catalog, text: str, day: str
) -> None:
    options = [option for option in offered(catalog, text) if option.column == "Added on"]
    assert (day,) in {option.values[:1] for option in options}


@pytest.mark.parametrize(
    ("name", "unit", "kinds"),
    [
        ("wrnty_m", "month", {"time"}),
        ("length_m", "m", {"length"}),
        ("min_term_mths", "mth", {"time"}),
        ("walk_min", "min", {"time"}),
        ("Years in practice", "year", {"time"}),
        ("prc_kwh", None, {"money"}),
        ("Per head (£)", None, {"money"}),
        ("Per night (EUR)", None, {"money"}),
        ("gbp_hr", None, {"money"}),
        ("eur_per_hour", None, {"money"}),
        ("rate_usd", None, {"money"}),
        ("Power (kW)", "kw", {"power"}),
        ("Noise (dB)", "db", {"sound"}),
        ("battery_mAh", "mah", {"charge"}),
        ("Drop per day (mm)", "mm", {"length"}),
    ],
)
def test_the_unit_of_a_column_by_its_name(name: str, unit: str | None, kinds: set[str]) -> None:
    assert (column_unit(name), unit_kinds(name)) == (unit, kinds)


@pytest.mark.parametrize("name", ["Visits a day", "Litres a day", "Uses per week", "usesPerDay"])
def test_what_is_counted_in_a_time_has_no_unit_of_time(name: str) -> None:
    assert column_unit(name) not in ("day", "week")


def test_a_unit_inside_a_name_is_the_columns_unless_it_is_the_least_of_something():
    assert column_unit("walk_min_to_metro") == "min"
    assert column_unit("drive_mins_to_city") == "min"
    assert column_unit("min_stay_months") == "month"
    assert column_unit("min_driver_age") is None


def test_an_amount_far_below_a_column_is_none_of_it():
    stays = {"walk_min_to_metro": [1, 8, 17], "min_stay_months": [1, 6, 12]}
    rooms = Catalog.open(pa.table({name: values * 4 for name, values in stays.items()}))
    options = offered(rooms, "less than ten minutes to the metro")
    assert {(option.column, option.values) for option in options if option.how == "number"} == {
        ("walk_min_to_metro", (10,))
    }


def test_a_letter_behind_a_number_is_no_month_of_an_age():
    lengths = {"len_m": [5.0, 5.9, 7.5], "min_driver_age": [21, 23, 25], "reg_year": [2015] * 3}
    vans = Catalog.open(pa.table({name: values * 4 for name, values in lengths.items()}))
    of_column = {o.column: o.values for o in offered(vans, "5.5m max") if o.how == "number"}
    assert of_column["len_m"] == (5.5,)
    assert of_column.get("min_driver_age") in (None, (5_500_000,))


def test_a_word_that_bounds_a_number_is_nobodys_name():
    dogs = Catalog.open(
        pa.table({"name": ["Max", "Bella", "Rex"] * 4, "weight_kg": [9.0, 20.0, 31.0] * 4})
    )
    assert "Max" not in {v for o in offered(dogs, "max 15 kg") for v in o.values}
    assert "Max" in {v for o in offered(dogs, "is Max 15 kg?") for v in o.values}
