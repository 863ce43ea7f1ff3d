"""Days as people say them, counted from a given day."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.extraction.dates import Day, find_days
from concede.dialogs.language.calendar_days import later

WEDNESDAY = date(2026, 3, 4)


def read(text, today=WEDNESDAY):
    """Return the widest reading of a text: first and last day, and the day that bounds count."""
    day = max(find_days(text, today), key=lambda found: found.end - found.start)
    return day.first.isoformat(), day.last.isoformat(), day.point and day.point.isoformat()


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", "2026-03-04"),
        ("later today", "2026-03-04"),
        ("free now", "2026-03-04"),
        ("tomorrow", "2026-03-05"),
        ("the day after tomorrow", "2026-03-06"),
        ("yesterday", "2026-03-03"),
        ("on Friday", "2026-03-06"),
        ("next Friday", "2026-03-13"),
        ("a week on Tuesday", "2026-03-17"),
        ("Wednesday week", "2026-03-11"),
        ("Friday of next week", "2026-03-13"),
        ("last Monday", "2026-03-02"),
        ("in ten days", "2026-03-14"),
        ("in a fortnight", "2026-03-18"),
        ("in two weeks' time", "2026-03-18"),
        ("for another 3 months", "2026-06-04"),
        ("six months of MOT left", "2026-09-04"),
        ("half a year of it", "2026-09-04"),
        ("another year", "2027-03-04"),
        ("two weeks ago", "2026-02-18"),
        ("by the 15th", "2026-03-15"),
        ("by the 3rd", "2026-04-03"),
        ("the 1st of next month", "2026-04-01"),
        ("Friday the 13th", "2026-03-13"),
        ("15 June", "2026-06-15"),
        ("June the 15th", "2026-06-15"),
        ("Saturday, 6th of June 2026", "2026-06-06"),
        ("the twenty-first of June", "2026-06-21"),
        ("5 Feb", "2027-02-05"),
        ("1 September next year", "2027-09-01"),
        ("3/5/2026", "2026-05-03"),
        ("12/24/2026", "2026-12-24"),
        ("24.12.", "2026-12-24"),
        ("before Christmas", "2026-12-25"),
        ("new years eve", "2026-12-31"),
        ("after Easter", "2026-04-05"),
    ],
)
def test_one_day(text, day):
    assert read(text) == (day, day, None)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("this weekend", "2026-03-07", "2026-03-08"),
        ("next week", "2026-03-09", "2026-03-15"),
        ("the week after next", "2026-03-16", "2026-03-22"),
        ("next month", "2026-04-01", "2026-04-30"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("within the next two weeks", "2026-03-04", "2026-03-18"),
        ("in the last 3 months", "2025-12-04", "2026-03-04"),
        ("in June", "2026-06-01", "2026-06-30"),
        ("in January", "2027-01-01", "2027-01-31"),
        ("no later than may", "2026-05-01", "2026-05-31"),
        ("May. 1st, 2026", "2026-05-01", "2026-05-01"),
        ("in May. 3 people", "2026-05-01", "2026-05-31"),
        ("before summer", "2026-06-01", "2026-08-31"),
        ("next winter", "2026-12-01", "2027-02-28"),
        ("since 2019", "2019-01-01", "2019-12-31"),
        ("Q3", "2026-07-01", "2026-09-30"),
        ("the second quarter of 2027", "2027-04-01", "2027-06-30"),
        ("from 3 to 9 May", "2026-05-03", "2026-05-09"),
        ("3-9 May", "2026-05-03", "2026-05-09"),
        ("May 3-9", "2026-05-03", "2026-05-09"),
        ("between the 3rd and the 9th of May", "2026-05-03", "2026-05-09"),
        ("from 28 April to 3 May", "2026-04-28", "2026-05-03"),
        ("from Monday to Friday", "2026-03-09", "2026-03-13"),
        ("on Friday and stay one week", "2026-03-06", "2026-03-13"),
    ],
)
def test_a_stretch_of_days(text, first, last):
    assert read(text) == (first, last, None)


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("the end of next month", "2026-04-30"),
        ("the start of June", "2026-06-01"),
        ("mid-March", "2026-03-15"),
        ("the end of the year", "2026-12-31"),
        ("end of 2027", "2027-12-31"),
    ],
)
def test_part_of_a_stretch_has_a_day_that_bounds_count_from(text, point):
    first, last, found = read(text)
    assert found == point
    assert first <= point <= last


@pytest.mark.parametrize(
    "text",
    ["I may come", "it will fall down", "31/2/2026", "99/99/2026", "the 45th", "week", "4.5"],
)
def test_what_is_no_day(text):
    assert [found.kind for found in find_days(text, WEDNESDAY) if found.kind != "year"] == []


def test_without_a_year_it_is_the_one_of_the_catalog():
    (day,) = find_days("since February", WEDNESDAY)
    moved = day.near(date(2025, 11, 1), date(2026, 3, 1))
    assert (moved.first, moved.last) == (date(2026, 2, 1), date(2026, 2, 28))
    assert day.near(date(2027, 1, 1), date(2027, 12, 1)) == day


NEAR = st.dates(date(1990, 1, 1), date(2040, 12, 31)) | st.sampled_from([date.min, date.max])


def test_without_a_year_it_is_the_nearest_one_to_an_old_catalog():
    low, high = date(2021, 3, 10), date(2021, 4, 28)
    for text, first in (("by 15 April", date(2021, 4, 15)), ("before 1 May", date(2021, 5, 1))):
        (day,) = find_days(text, WEDNESDAY)
        assert day.near(low, high).first == first
    (day,) = find_days("by 15 April 2026", WEDNESDAY)
    assert day.near(low, high) == day


@given(NEAR, NEAR, NEAR)
def test_the_year_chosen_is_the_one_whose_day_lies_nearest(day, low, high):
    low, high = min(low, high), max(low, high)
    first = later(day, 0, "year")
    near = Day(0, 1, first, first, "dm", yearless=True).near(low, high).first

    def away(year: int) -> timedelta:
        moved = later(first, year - first.year, "year")
        return max(low - moved, moved - high, timedelta())

    years = range(max(1, low.year - 1), min(9999, high.year + 1) + 1)
    assert away(near.year) == min(away(first.year), *map(away, years))


DAYS = st.dates(date(1990, 1, 1), date(2089, 12, 31))


def ordinal(day):
    """Return a day of the month with its ending."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    return f"{day.day}{'th' if 10 <= day.day <= 20 else ending}"


WRITTEN = [
    lambda day: day.isoformat(),
    lambda day: f"{day:%Y/%m/%d}",
    lambda day: f"{day.day}.{day.month}.{day.year}",
    lambda day: f"{day:%d/%m/%Y}",
    lambda day: f"{day.day} {day:%B %Y}",
    lambda day: f"{day:%A}, {ordinal(day)} {day:%b %Y}",
    lambda day: f"the {ordinal(day)} of {day:%B}, {day.year}",
    lambda day: f"{day:%B} {day.day}, {day.year}",
    lambda day: f"{day:%b}. {ordinal(day)}, {day.year}",
]


@given(DAYS, DAYS, st.sampled_from(WRITTEN), st.sampled_from(("{}", "by {} please", "(until {})")))
def test_a_day_is_read_back_however_it_is_written(day, today, write, said):
    assert [(d.first, d.last) for d in find_days(said.format(write(day)), today)] == [(day, day)]


@given(DAYS, st.integers(1, 60), st.sampled_from(("in {} days", "{} days from now", "for {} days")))
def test_days_ahead_are_counted(today, count, said):
    (day,) = find_days(said.format(count), today)
    assert day.first == day.last == today + timedelta(count)


@given(DAYS, st.integers(1, 30))
def test_months_ahead_keep_the_day_or_the_months_last(today, count):
    (day,) = find_days(f"in {count} months", today)
    year, month = divmod(today.year * 12 + today.month - 1 + count, 12)
    assert (day.first.year, day.first.month) == (year, month + 1)
    following = day.first + timedelta(1)
    assert day.first.day == today.day or (day.first.day < today.day and following.day == 1)


@given(DAYS)
def test_a_weekday_is_within_a_week_and_next_week_is_the_one_after(today):
    for name, number in (("Monday", 0), ("Thursday", 3), ("Sunday", 6)):
        near = next(iter(find_days(name, today))).first
        following = next(iter(find_days(f"next {name}", today))).first
        assert near.weekday() == following.weekday() == number
        assert 0 <= (near - today).days < 7
        assert 7 - today.weekday() <= (following - today).days <= 13 - today.weekday()


@given(st.text(max_size=300), DAYS)
def test_any_text_is_read(text, today):
    for day in find_days(text, today):
        assert day.first <= day.last
        assert 0 <= day.start < day.end <= len(text)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("within the next fortnight", "2026-03-04", "2026-03-18"),
        ("within the week", "2026-03-04", "2026-03-11"),
        ("in the past year", "2025-03-04", "2026-03-04"),
        ("first week of July next year", "2027-07-01", "2027-07-07"),
        ("first two weeks of July next year", "2027-07-01", "2027-07-14"),
        ("the last 3 weeks of July next year", "2027-07-11", "2027-07-31"),
        ("the last week of June", "2026-06-24", "2026-06-30"),
        ("for the last week of June", "2026-06-24", "2026-06-30"),
        ("the second half of May", "2026-05-16", "2026-05-31"),
        ("the second half of 2025", "2025-07-01", "2025-12-31"),
        ("between March and May 2025", "2025-03-01", "2025-05-31"),
        ("november to february", "2026-11-01", "2027-02-28"),
        ("february to april", "2026-02-01", "2026-04-30"),
        ("the 1990s", "1990-01-01", "1999-12-31"),
        ("the seventies", "1970-01-01", "1979-12-31"),
        ("good friday", "2026-04-03", "2026-04-03"),
    ],
)
def test_stretches_as_people_say_them(text, first, last):
    assert read(text)[:2] == (first, last)


@pytest.mark.parametrize(
    "text", ["in May or June", "May/June", "in May or in June", "May or early June"]
)
def test_of_two_months_in_a_row_any_day_will_do(text):
    assert read(text)[:2] == ("2026-05-01", "2026-06-30" if "early" not in text else "2026-06-10")


@pytest.mark.parametrize("text", ["in May or August", "on 3 May or 1 June"])
def test_of_other_days_one_or_the_other_is_meant(text):
    assert [day.kind for day in find_days(text, WEDNESDAY) if day.kind == "range"] == []
