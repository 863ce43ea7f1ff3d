"""What columns are called in sentences, whatever their headers look like."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.language.column_headers import Header, header_of
from concede.dialogs.language.wording import Wording

pa = pytest.importorskip("pyarrow")

DAYS = ["2025-04-07", "2025-05-11", "2025-06-14", "2025-07-01"]
BOATS = Catalog.open(
    pa.table(
        {
            "Boat": ["Roland Air 12", "Beacon Barn", "Street Art Walk", "Nexus"],
            "Maker": ["Roland", "barn", "culture", "Premier"],
            "Suited to": [["tango", "jazz"], ["jazz"], ["tango"], ["folk", "jazz"]],
            "Made in": ["China", "Italy", "China", "Germany"],
            "Opens at": ["09:00", "08:30", "10:00", "12:00"],
            "available_from": pa.array(DAYS).cast(pa.date32()),
            "Wind min km/h": [3, 6, 8, 10],
            "Price (EUR)": [420, 930, 1500, 3410],
            "kids_ok": [True, False, True, True],
        }
    )
)
WORDING = Wording(BOATS)


@pytest.mark.parametrize(
    ("column", "label", "unit"),
    [
        ("price_usd", "price", "USD"),
        ("Price (EUR)", "price", "EUR"),
        ("fee eur", "fee", "EUR"),
        ("Hire rate (£ per hour)", "hire rate per hour", "£"),
        ("Wind min km/h", "wind min", "km/h"),
        ("Top speed (km/h)", "top speed", "km/h"),
        ("Rating (out of 5)", "rating", "out of 5"),
        ("Capacity (people)", "capacity", "people"),
        ("heater_power_kw", "heater power", "kW"),
        ("horsepower hp", "horsepower hp", ""),
        ("ram_gb", "ram", "GB"),
        ("Max people", "max people", ""),
        ("eur", "eur", ""),
    ],
)
def test_a_unit_in_a_header_is_a_unit(column: str, label: str, unit: str):
    assert header_of(column) == Header(label, unit)


def test_a_text_has_no_unit():
    assert header_of("Made in", is_text=True) == Header("made in")


@pytest.mark.parametrize(
    ("column", "op", "value", "words"),
    [
        ("Suited to", "contains", "tango", "suited to tango"),
        ("Suited to", "contains any", ("tango", "folk"), "suited to tango or folk"),
        ("Suited to", "!=", "tango", "not suited to tango"),
        ("Made in", "==", "China", "made in China"),
        ("Made in", "not in", ("China", "Italy"), "not made in China or Italy"),
        ("Opens at", "<=", "12:00", "opens at 12:00 or earlier"),
        ("Opens at", ">", "09:00", "opens after 09:00"),
        ("Opens at", "!=", "09:00", "opens not at 09:00"),
        ("available_from", "<", "2025-12-31", "available before 2025-12-31"),
        ("available_from", ">=", "2025-05-01", "available from 2025-05-01 or later"),
        ("Wind min km/h", ">", 10, "wind min over 10 km/h"),
        ("Price (EUR)", "between", (900, 1500), "price between 900 and 1,500 EUR"),
        ("kids_ok", "==", False, "kids not ok"),
        ("kids_ok", "==", True, "kids ok"),
    ],
)
def test_a_wish_is_said_in_english(column: str, op: str, value: object, words: str):
    wish = Constraint.model_validate({"column": column, "op": op, "value": value})
    assert WORDING.wish(wish) == words


def test_a_header_that_a_value_completes_is_quoted_by_itself():
    assert WORDING.label("Suited to") == "“suited to”"
    before = [Constraint(column="Made in", op="==", value="China")]
    assert WORDING.changes(before, []) == ["“made in” is open again, no longer China"]


def test_names_are_not_run_together():
    names = [WORDING.names(row) for row in BOATS.fetch([0, 1, 2])]
    assert names == ["Roland Air 12", "Beacon Barn", "Street Art Walk (culture)"]


def test_a_make_and_a_model_are_a_name():
    cars = Catalog.open(pa.table({"Make": ["Audi", "Seat"], "Model": ["A4", "Ibiza"]}))
    assert Wording(cars).names(cars.fetch([0])[0]) == "Audi A4"


@pytest.mark.parametrize(
    ("label", "refused"),
    [
        ("lift", "no lift"),
        ("assembly included", "assembly not included"),
        ("furnished", "not furnished"),
        ("is waterproof", "is not waterproof"),
        ("has lift", "has no lift"),
    ],
)
def test_what_an_item_has_not_is_said_in_english(label: str, refused: str):
    header = Header(label)
    assert (header.answered(True), header.answered(False)) == (label, refused)
