"""Parts of the day over the one column that holds times."""

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.offline import extract


@pytest.fixture(scope="module")
def workshops() -> Catalog:
    """Workshops with the time that each begins."""
    kinds = ["Glassblowing", "Weaving", "Bookbinding", "Woodcarving"]
    table = pa.table(
        {
            "workshop": [f"{kind} {n}" for n in range(1, 5) for kind in kinds],
            "kind": kinds * 4,
            "starts": ["09:00", "10:30", "13:00", "14:30", "17:00", "18:30", "19:00", "20:00"] * 2,
            "price": [20, 30, 40, 50, 60, 70, 80, 90] * 2,
        }
    )
    return Catalog.open(table)


def _times(text: str, workshops: Catalog) -> list[str]:
    found = extract(text, workshops).constraints
    return [str(part.constraint) for part in found if part.constraint.column == "starts"]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("glassblowing, evenings please", "starts between 18:00 and 23:59"),
        ("the cheapest afternoon one", "starts between 12:00 and 18:00"),
        ("we only want a mornng", "starts between 06:00 and 12:00"),
        ("weaving in the daytime", "starts between 06:00 and 17:00"),
        ("weaving, late morning or early afternoon", "starts between 10:00 and 15:00"),
        ("weaving after 6 pls", "starts > 18:00"),
        ("bookbinding or weaving, before 3", "starts < 15:00"),
        ("is there one in the afternoon?", "starts between 12:00 and 18:00"),
        ("weaving at one in the afternoon", "starts = 13:00"),
        ("anything but the crack of dawn", "starts > 06:30"),
        ("nothing in the evening", "starts < 18:00"),
        ("mornings or evenings", "starts in 09:00, 10:30, 18:30, 19:00, 20:00"),
    ],
)
def test_parts_of_the_day_bound_when_it_starts(text: str, wish: str, workshops: Catalog) -> None:
    assert _times(text, workshops) == [wish]


@pytest.mark.parametrize(
    "text",
    [
        "Good evening, I'd like to try weaving",
        "Morning! Weaving please",
        "I need it for an evening gown",
        "my shop is shut in the afternoon so I can come for weaving",
        "weaving for more than 6 people",
    ],
)
def test_greetings_and_other_things_bound_nothing(text: str, workshops: Catalog) -> None:
    assert _times(text, workshops) == []
