"""`Weekday` and `weekend` stand for the days of a column that holds days."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.dialogs import extract
from concede.dialogs.extraction.week_days import days_of

pa = pytest.importorskip("pyarrow")

DAYS = ("Monday", "Wednesday", "Friday", "Saturday", "Sunday")
CLASSES = Catalog.open(
    pa.table(
        {
            "class": [f"Class {n}" for n in range(20)],
            "day": [*DAYS] * 4,
            "also_on": [["Tue", "Sat"], ["Sun"], ["Tue"], ["Sat", "Sun"]] * 5,
            "fee": [10 + n for n in range(20)],
        }
    )
)


def read(text: str) -> set[tuple[str | None, str, tuple[object, ...]]]:
    parts = extract(text, CLASSES).constraints
    return {
        (
            part.constraint.column,
            part.constraint.op,
            tuple(sorted(map(str, part.constraint.values))),
        )
        for part in parts
    }


@pytest.mark.parametrize(
    ("text", "op", "days"),
    [
        ("a class, the day has to be a weekday", "in", ("Friday", "Monday", "Wednesday")),
        ("the day: weekends only", "in", ("Saturday", "Sunday")),
        ("any day but the weekend", "not in", ("Saturday", "Sunday")),
    ],
)
def test_a_word_for_several_days_means_those_that_there_are(
    text: str, op: str, days: tuple[str, ...]
):
    assert ("day", op, days) in read(text)


def test_a_day_alone_is_one_day():
    assert ("day", "==", ("Sunday",)) in read("the day should be Sunday")


SPANS = Catalog.open(
    pa.table(
        {
            "sitter": [f"Sitter {n}" for n in range(24)],
            "comes on": ["Mon-Fri", "Mon–Sat", "Sat-Sun", "every day", "Tue", "Mon, Wed"] * 4,
            "fee": [10 + n for n in range(24)],
        }
    )
)


@pytest.mark.parametrize(
    ("text", "op", "cells"),
    [
        ("saturdays", "in", {"Mon–Sat", "Sat-Sun", "every day"}),
        ("a sitter on a tuesday", "in", {"Mon-Fri", "Mon–Sat", "every day", "Tue"}),
        ("weekends only", "in", {"Sat-Sun", "every day"}),
        ("weekdays only", "in", {"Mon-Fri", "Mon–Sat", "every day", "Tue", "Mon, Wed"}),
        ("no wednesdays", "!=", {"Mon, Wed"}),
        ("not at the weekend", "!=", {"Sat-Sun"}),
        ("not Mon-Fri", "!=", {"Mon-Fri"}),
    ],
)
def test_a_day_is_one_of_those_that_a_cell_spans(text: str, op: str, cells: set[str]):
    (part,) = extract(text, SPANS).constraints
    assert (part.constraint.op, set(part.constraint.values)) == (op, cells)


def test_a_day_on_which_only_whole_weeks_are_is_not_refused_silently():
    extraction = extract("not on fridays", SPANS)
    assert not extraction.constraints
    assert [part.evidence.text for part in extraction.not_understood] == ["fridays"]


@pytest.mark.parametrize(
    ("cell", "days"),
    [
        ("Fri-Mon", "friday saturday sunday monday"),
        ("Tues & Thurs evenings", "tuesday thursday"),
        ("weekdays, Sat", "monday tuesday wednesday thursday friday saturday"),
        ("Monday to Wednesday", "monday tuesday wednesday"),
        ("Sun", "sunday"),
        ("Sunny", ""),
        ("Monday Club", ""),
        ("5-7", ""),
    ],
)
def test_the_days_of_a_cell(cell: str, days: str):
    assert days_of(cell) == set(days.split())


@pytest.mark.parametrize(
    ("text", "column", "op", "days"),
    [
        ("also on Sat-Sun", "also_on", "contains any", ("Sat", "Sun")),
        ("a class that is also on Sat to Tue", "also_on", "contains any", ("Sat", "Sun", "Tue")),
        ("the day: Monday to Friday", "day", "in", ("Friday", "Monday", "Wednesday")),
        ("the day: Saturday through Monday", "day", "in", ("Monday", "Saturday", "Sunday")),
        ("the day: Friday to Friday", "day", "==", ("Friday",)),
    ],
)
def test_any_day_from_one_to_another_will_do(
    text: str, column: str, op: str, days: tuple[str, ...]
):
    assert read(text) == {(column, op, days)}


def test_two_days_of_a_list_are_both_wished_for():
    both = {("also_on", "contains", ("Sat",)), ("also_on", "contains", ("Sun",))}
    assert read("also on Sat and Sun") == both
