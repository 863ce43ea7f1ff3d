"""Dates and times as people say them, counted from a given day."""

from datetime import date

import pytest

from concede.dialogs.extraction.clocks import find_clocks
from concede.dialogs.extraction.dates import find_days

TODAY = date(2026, 11, 22)
"""A Sunday."""


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-03-01", "2026-03-01", "2026-03-01"),
        ("1 March", "2027-03-01", "2027-03-01"),
        ("the 3rd of June", "2027-06-03", "2027-06-03"),
        ("May 3, 2027", "2027-05-03", "2027-05-03"),
        ("12/24", "2026-12-24", "2026-12-24"),
        ("28/4/2027", "2027-04-28", "2027-04-28"),
        ("March 2027", "2027-03-01", "2027-03-31"),
        ("early May", "2027-05-01", "2027-05-11"),
        ("the day after tomorrow", "2026-11-24", "2026-11-24"),
        ("next Friday", "2026-11-27", "2026-11-27"),
        ("in two weeks", "2026-12-06", "2026-12-06"),
        ("in six months", "2027-05-22", "2027-05-22"),
        ("the end of next month", "2026-12-21", "2026-12-31"),
        ("this weekend", "2026-11-21", "2026-11-22"),
        ("Christmas", "2026-12-25", "2026-12-25"),
        ("the 5th", "2026-12-05", "2026-12-05"),
    ],
)
def test_dates(text, first, last):
    (day,) = find_days(text, TODAY)
    assert (day.first.isoformat(), day.last.isoformat()) == (first, last)


@pytest.mark.parametrize("text", ["31 February 2026", "99/99/2026", "the 45th", "month"])
def test_what_is_no_date_is_none(text):
    assert [day.kind for day in find_days(text, TODAY) if day.kind not in ("year", "my")] == []


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("5:30 pm", (1050,)),
        ("17:45", (1065,)),
        ("half past six", (390, 1110)),
        ("quarter to 8 in the evening", (1185,)),
        ("noon", (720,)),
        ("7 o'clock", (420, 1140)),
        ("19h", (1140,)),
    ],
)
def test_times(text, minutes):
    (clock,) = find_clocks(text)
    assert clock.minutes == tuple((minute, minute) for minute in minutes)
