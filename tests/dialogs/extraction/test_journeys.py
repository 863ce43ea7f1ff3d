"""From where to where, leaving and getting there: columns that hold the same values."""

from __future__ import annotations

import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.offline import extract
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import index_of

TOWNS = ("London", "Leeds", "York", "Bath", "Cardiff", "Bristol")


@pytest.fixture(scope="module")
def trains(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    path = tmp_path_factory.mktemp("trains") / "trains.csv"
    rows = [
        f"{start},{end},{hour:02}:15,{hour + 2:02}:40,{40 + 3 * hour},yes"
        for hour in range(6, 20)
        for start, end in ((TOWNS[hour % 6], TOWNS[(hour + 1) % 6]), (TOWNS[hour % 3], TOWNS[5]))
        if start != end
    ]
    path.write_text("\n".join(["from,to,departure,arrival,fare,Good with cats", *rows]))
    return Catalog.open(path)


def told(text: str, trains: Catalog) -> set[tuple[str, str, str]]:
    found = extract(text, trains).constraints
    return {(str(c.constraint.column), c.constraint.op, str(c.constraint.value)) for c in found}


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("London to Leeds and the fare no more than 90", "London", "Leeds"),
        ("from York to Bath please", "York", "Bath"),
    ],
)
def test_one_town_to_another_are_two_columns(
    trains: Catalog, text: str, start: str, end: str
) -> None:
    assert {("from", "==", start), ("to", "==", end)} <= told(text, trains)


def test_two_towns_joined_by_or_are_one_column(trains: Catalog) -> None:
    assert len({column for column, _, _ in told("to Leeds or York", trains)}) == 1


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("I have to get there by 17:00", "arrival"),
        ("it arrives before 12:00", "arrival"),
        ("setting off after 09:00", "departure"),
        ("it leaves at 10:15 or later", "departure"),
    ],
)
def test_words_for_leaving_and_for_getting_there(trains: Catalog, text: str, column: str) -> None:
    assert {name for name, _, _ in told(text, trains)} == {column}


def test_a_dog_names_no_column_of_cats(trains: Catalog) -> None:
    reading = Reading("my dog, a poodle, and two cats", 0, index_of(trains), {})
    named = {reading.folded[naming.first] for naming in reading.namings["Good with cats"]}
    assert named == {"cats"}
