"""Days of when something starts: a week by its day, days of a month said before, days of nobody."""

from datetime import date

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.dates import find_days
from concede.dialogs.extraction.offline import extract

TODAY = date(2025, 3, 5)


@pytest.fixture(scope="module")
def treks() -> Catalog:
    """Treks with the day that each starts on, and how many days it takes."""
    return Catalog.open(
        pa.table(
            {
                "trek": [f"Trek {n}" for n in range(12)],
                "region": ["Alps", "Tatra", "Rila", "Pirin"] * 3,
                "days": [3, 4, 5, 7] * 3,
                "start date": [date(2025, 5 + n // 4, 5 + 7 * (n % 4)) for n in range(12)],
            }
        )
    )


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("the week of 12 May", ["2025-05-12 2025-05-18"]),
        ("week commencing June 2nd", ["2025-06-02 2025-06-08"]),
        ("w/c 2 June", ["2025-06-02 2025-06-08"]),
        ("some time in June, from the 9th", ["2025-06-01 2025-06-30", "2025-06-09 2025-06-09"]),
        ("by the 20th, in June", ["2025-06-20 2025-06-20", "2025-06-01 2025-06-30"]),
        ("in June, but the second one", ["2025-06-01 2025-06-30", "2025-04-02 2025-04-02"]),
        ("last week of May", ["2025-05-25 2025-05-31"]),
    ],
)
def test_weeks_and_days_of_months(text: str, days: list[str]) -> None:
    assert [f"{day.first} {day.last}" for day in find_days(text, TODAY)] == days


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("Tatra, 12 May", "start date = 2025-05-12"),
        ("a trek the week of 12 May", "start date between 2025-05-12 and 2025-05-18"),
        ("my brother only arrives on the 3rd of June", "start date ≥ 2025-06-03"),
        ("we get back on 3 June, so after that", "start date ≥ 2025-06-03"),
        ("a trek in June, starting on the 9th or later", "start date ≥ 2025-06-09"),
        ("Rila, by 12 May", "start date ≤ 2025-05-12"),
        ("Rila from 12 May", "start date ≥ 2025-05-12"),
    ],
)
def test_a_day_without_a_bound_is_that_day(text: str, wish: str, treks: Catalog) -> None:
    found = extract(text, treks, today=TODAY).constraints
    starts = [str(part.constraint) for part in found if part.constraint.column == "start date"]
    assert starts == [wish]


@pytest.mark.parametrize(
    ("text", "waived"),
    [
        ("any week is fine", ("start date",)),
        ("Alps please, whichever day", ("start date",)),
        ("Alps, any week after 12 May", ()),
        ("Alps, a week or so", ()),
    ],
)
def test_days_left_open(text: str, waived: tuple[str, ...], treks: Catalog) -> None:
    assert extract(text, treks, today=TODAY).waived == waived
