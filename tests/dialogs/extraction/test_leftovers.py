"""What belongs to what was understood, and what greets, is not reported as not understood."""

from __future__ import annotations

import datetime

import pytest

from concede import Catalog
from concede.dialogs import extract

pa = pytest.importorskip("pyarrow")

HALLS = Catalog.open(
    pa.table(
        {
            "hall": [f"Hall {n}" for n in range(24)],
            "town": ["Millbrook", "Ashby", "Kirkham"] * 8,
            "capacity": [4 + 12 * n for n in range(24)],
            "Hire rate (£ per hour)": [10.0 + 3 * n for n in range(24)],
            "stage_width_cm": [150 + 10 * n for n in range(24)],
            "wind_limit_km_h": [10 + n for n in range(24)],
        }
    ),
    name="pavilions",
)


def left(text: str) -> list[str]:
    read = extract(text, HALLS)
    return [part.evidence.text for part in (*read.not_understood, *read.unresolved)]


@pytest.mark.parametrize(
    "text",
    [
        "in Ashby, under 30 pounds",
        "at most 40 pounds an hour in Ashby",
        "a stage at least 2.5 metres wide",
        "wind limit at least 15 km/h",
        "for 150 ppl in Ashby",
        "for 120 guests in Ashby",
        "Good afternoon, a hall in Ashby please",
        "Oh dear, and she'd like one in Ashby",
        "my daughter's party, in Ashby",
        "Don't worry about the hire rate, in Ashby",
        "a pavilion in Ashby",
    ],
)
def test_what_belongs_to_a_number_or_greets_is_understood(text: str):
    assert left(text) == []


def test_unknown_words_and_numbers_are_still_reported():
    assert "trampolines" in left("in Ashby, with trampolines")
    assert left("in Ashby, 4711 zlotys")
    assert "pounds" in left("in Ashby, it weighs pounds and pounds")[0]


COURSES = Catalog.open(
    pa.table(
        {
            "course": [f"Course {n}" for n in range(12)],
            "craft": ["pottery", "weaving", "printing"] * 4,
            "date": [datetime.date(2026, 3, 1 + 2 * n) for n in range(12)],
        }
    ),
    name="courses",
)


@pytest.mark.parametrize("day", ["saturdays", "weekends", "weekday", "sunday"])
def test_days_of_the_week_that_are_not_meant_are_reported_where_there_are_dates(day: str):
    read = extract(f"pottery, not on a {day}", COURSES, today=datetime.date(2026, 3, 2))
    told = [span.evidence.text for span in read.not_understood]
    meant = [each.constraint.column for each in read.constraints]
    assert day in told or "date" in meant


def test_a_day_of_the_week_is_small_talk_where_there_are_no_dates():
    assert left("in Ashby on a sunday") == []


def test_a_greeting_names_no_value():
    chairs = Catalog.open(
        pa.table(
            {"chair": [f"Chair {n}" for n in range(9)], "condition": ["good", "fair", "poor"] * 3}
        )
    )
    assert not extract("Good day, I'd like a chair", chairs).constraints
    assert [
        str(c.constraint) for c in extract("Good day, in good condition", chairs).constraints
    ] == ["condition = good"]


FILMS = Catalog.open(
    pa.table(
        {
            "film": [f"Film {n}" for n in range(12)],
            "genre": ["western", "comedy", "documentary"] * 4,
            "running time (min)": [80 + 5 * n for n in range(12)],
            "opens on": [datetime.date(2025, 5 + n // 6, 2 + n) for n in range(12)],
            "begins": ["14:00", "16:30", "18:30", "20:45"] * 3,
        }
    ),
    name="films",
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("runing time at most 100 minutes", []),
        ("a comedy in June, from the 9th on", []),
        ("a western before 5, I am never out of an evening", []),
        ("a comedy, wonderfully zany", ["wonderfully zany"]),
        ("a comedy, something gory", ["gory"]),
    ],
)
def test_what_says_what_was_understood_again_is_not_left(text: str, words: list[str]):
    read = extract(text, FILMS, today=datetime.date(2025, 4, 1))
    assert [part.evidence.text for part in read.not_understood] == words
