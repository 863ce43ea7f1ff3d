"""Two wishes of different columns with an `or` between them are one."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede import Catalog
from concede.dialogs import Session

SHOWS = Catalog.open(
    pa.table(
        {
            "show": [f"Show {n}" for n in range(12)],
            "kind": ["opera", "circus", "magic"] * 4,
            "extras": ["snacks", "parking", "snacks;parking", "wheelchair lift"] * 3,
            "price_eur": [10 + 3 * n for n in range(12)],
        }
    ),
    key="show",
)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("I'd like an opera or a wheelchair lift", 6),
        ("circus or magic, please", 8),
    ],
)
def test_one_of_two_is_enough(text: str, fits: int) -> None:
    session = Session(SHOWS)
    session.hear(text)
    assert session.count(session.preferences.known) == fits
