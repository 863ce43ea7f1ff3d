"""Opening hours, against a reader that looks at every minute of the week."""

from __future__ import annotations

import csv
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.query.opening_hours import (
    STEP,
    WEEK,
    is_open,
    moved_moment,
    parse_hours,
    steps_to_open,
)

MONDAY = datetime(2026, 11, 23)
NAMES = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
CHINESE = "一二三四五六日"

MINUTES = st.integers(0, 1_439)
SPANS = st.lists(st.tuples(MINUTES, MINUTES), min_size=1, max_size=3)
RULES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), SPANS), min_size=1, max_size=3)
Rules = list[tuple[int, int, list[tuple[int, int]]]]


def clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def written(rules: Rules, chinese: bool) -> str:
    listed: list[str] = []
    for first, last, spans in rules:
        days = f"{NAMES[first]}-{NAMES[last]} "
        if chinese:
            days = f"周{CHINESE[first]}至周{CHINESE[last]}"
        listed.append(days + ",".join(f"{clock(a)}-{clock(b)}" for a, b in spans))
    return ("；" if chinese else "; ").join(listed)


def minutes_open(rules: Rules) -> set[int]:
    """Every minute of the week that is open, one by one."""
    days: dict[int, list[tuple[int, int]]] = {}
    for first, last, spans in rules:
        day = first
        while True:
            days[day] = spans
            if day == last:
                break
            day = (day + 1) % 7
    minutes: set[int] = set()
    for day, spans in days.items():
        for start, end in spans:
            length = end - start if end > start else end + 1_440 - start
            minutes |= {(1_440 * day + start + i) % WEEK for i in range(length)}
    return minutes


@given(rules=RULES, chinese=st.booleans(), minute=st.integers(0, WEEK - 1))
def test_open_as_every_minute_says(rules: Rules, chinese: bool, minute: int) -> None:
    text, minutes = written(rules, chinese), minutes_open(rules)
    moment = MONDAY + timedelta(minutes=minute)
    assert is_open(text, moment) == (minute in minutes)
    steps = [
        (abs(step), step) for step in range(-672, 673) if (minute + STEP * step) % WEEK in minutes
    ]
    expected = min(steps)[1] if steps else None
    assert steps_to_open(text, moment) == expected


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("24/7", {"Mo 03:00", "Su 23:59"}),
        ("24小时营业", {"Mo 03:00", "Su 23:59"}),
        ("Mo-Fr 08:00-12:00, 14:00-18:00; PH off", {"Mo 11:59", "Fr 14:00"}),
        ("09:00-12:0014:00-18:00", {"Mo 09:00", "Su 17:59"}),
        ("Mo-Fr 08:00-18:00, Sa 09:00-14:00", {"Sa 13:59", "Mo 17:59"}),
        ("Fr-Su 18:00-02:00; Sa off", {"Fr 23:00", "Sa 01:59", "Mo 01:00"}),
        ("周一至周六06:30-23:00；周日休息", {"Mo 06:30", "Sa 22:59"}),
        ("周一、三、五 10:00-20:00", {"We 10:00", "Fr 19:59"}),
        ("每天 10:00—次日02:00", {"Tu 01:59", "Mo 10:00"}),
        ("Mon-Fri: 9am - 5:30 PM", {"We 09:00", "Fr 17:29"}),
        ("Mo-Su 18:00-26:00", {"Tu 01:30", "Su 18:00"}),
        ("Mo off", set[str]()),
        ("Mo-Sa,PH 10:00-20:00; Su,PH off", {"Sa 19:59"}),
        ("PH,Mo-Fr 10:00-20:00; SH off; PH 10:00-12:00", {"Fr 19:59"}),
        ("24/7; Su off", {"Sa 23:59", "Mo 03:00"}),
        ("Mo,Tu,PH,We 10:00-12:00,PH 07:00-08:00", {"Tu 10:00", "We 11:59"}),
        ("Monday to Friday 9:00 to 17:00", {"Fr 16:59"}),
        ("周一至周五 09:30-22:00 周六全天", {"Fr 21:59", "Sa 23:59"}),
    ],
)
def test_texts(text: str, opens: set[str]) -> None:
    asked = opens | {"Su 07:00" if "24" not in text else "Mo 03:00"}
    for day_and_time in asked:
        day, time = day_and_time.split()
        hour, minute = map(int, time.split(":"))
        moment = MONDAY + timedelta(days=NAMES.index(day), hours=hour, minutes=minute)
        assert is_open(text, moment) == (day_and_time in opens), day_and_time


@pytest.mark.parametrize(
    "text",
    ["", "call us", "Mar-Oct", "Feb 30 10:00-12:00", "2026 10:00-12:00", "18:00+",
     "sunrise-sunset", "10:00-25:99", "26:00-27:00",
     "Mo-Fr", "明周日09:00-18:00", '10:00-12:00 "by appointment"', "x" * 10_000],
)  # fmt: skip
def test_what_is_not_understood_is_unknown(text: str) -> None:
    assert parse_hours(text) is None
    assert is_open(text, MONDAY) is None
    assert steps_to_open(text, MONDAY) is None


def test_the_end_is_not_included() -> None:
    assert is_open("10:00-22:00", MONDAY.replace(hour=21, minute=59))
    assert not is_open("10:00-22:00", MONDAY.replace(hour=22))


def test_a_moment_moves_by_quarters_of_an_hour() -> None:
    asked = MONDAY.replace(hour=22, minute=30)
    assert moved_moment("10:00-22:00", asked) == MONDAY.replace(hour=21, minute=45)
    assert moved_moment("Mo off", asked) is None


def test_the_texts_of_the_places(shared_data: Path) -> None:
    path = shared_data / "mapsatisfybench_demo" / "pois.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    texts = {row[name] for row in rows for name in ("opentime_today", "opentime_week")} - {""}
    assert {text for text in texts if parse_hours(text) is None} == {"明周日09:00-18:00"}
