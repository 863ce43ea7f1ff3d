"""`Weekday` and `weekend` stand for the days of a column that holds days."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.dialogs import extract

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
