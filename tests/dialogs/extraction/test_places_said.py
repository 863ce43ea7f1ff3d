"""Places and hours in what people say, and how a conversation keeps and words them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.conversation.preferences import Preferences
from concede.dialogs.extraction.offline import extract
from concede.dialogs.language.wording import Wording

FRIDAY = date(2026, 5, 1)
AT = (40.75, -73.98)
SHOPS = Catalog.open(
    pa.table(
        {
            "name": ["Fig", "Owl"],
            "lat": [40.7512, 40.7587],
            "lon": [-73.979, -73.9787],
            "opening_hours": ["Mo-Fr 07:00-18:00", "Mo-Su 18:00-02:00"],
            "price": [4.5, 6.0],
        }
    )
)


def understood(text: str, catalog: Catalog = SHOPS) -> list[tuple[str, Any]]:
    found = extract(text, catalog, today=FRIDAY)
    assert found.not_understood == ()
    return [(part.constraint.op, part.constraint.value) for part in found.constraints]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("within 0.5 km of 40.75, -73.98", ("within", (*AT, 0.5))),
        ("at most 800 metres from (40.75, -73.98)", ("within", (*AT, 0.8))),
        ("within a mile of 40.75,-73.98", ("within", (*AT, 1.609344))),
        ("I'm at 40.75, -73.98, something within 2 km of here", ("within", (*AT, 2))),
        ("a 15 minute walk from 40.75, -73.98", ("reachable", (*AT, "walk", 15))),
        ("within 10 minutes by car of 40.75, -73.98", ("reachable", (*AT, "drive", 10))),
        ("open at 22:30", ("open at", "2026-05-01 22:30")),
        ("open tomorrow at 9 am", ("open at", "2026-05-02 09:00")),
        ("it is still open at half past ten in the evening", ("open at", "2026-05-01 22:30")),
        ("距离40.75，-73.98 1公里以内", ("within", (*AT, 1))),
        ("明晚8点半还营业", ("open at", "2026-05-02 20:30")),
        ("从40.75,-73.98步行10分钟以内", ("reachable", (*AT, "walk", 10))),
    ],
)
def test_what_is_said(text: str, expected: tuple[str, Any]) -> None:
    assert understood(text) == [expected]


def test_beside_other_wishes_and_with_its_evidence() -> None:
    text = "Within 0.5 km of 40.75, -73.98, open at 22:30 and under 6"
    assert [op for op, _ in understood(text)] == ["within", "open at", "<"]
    first = extract(text, SHOPS, today=FRIDAY).constraints[0].evidence
    assert first.text == text[first.start : first.end] == "Within 0.5 km of 40.75, -73.98"


def test_here_is_nowhere_unless_it_is_said() -> None:
    assert extract("within 1 km of here", SHOPS, today=FRIDAY).constraints == ()
    assert extract("within 1 km of 95.5, 3.25", SHOPS, today=FRIDAY).constraints == ()


def test_a_catalog_without_places_reads_none() -> None:
    plain = Catalog.open(pa.table({"name": ["a"], "price": [1]}))
    found = extract("open at 22:30 within 1 km of 40.75, -73.98", plain, today=FRIDAY)
    assert [
        part.constraint.op for part in found.constraints if part.constraint.column is None
    ] == []


def test_the_last_word_counts_and_the_two_stand_beside_each_other() -> None:
    near, nearer = (Constraint(op="within", value=[*AT, km]) for km in (2, 1))
    late = Constraint(op="open at", value="2026-05-01 22:30")
    wishes = Preferences()
    wishes.add([near, late])
    wishes.add([nearer])
    assert wishes.known == (nearer, late)
    wording = Wording(SHOPS)
    assert [wording.wish(wish) for wish in wishes.known] == [
        "within 1 km of 40.75, -73.98",
        "open at 2026-05-01 22:30",
    ]
    assert wording.condition(nearer) == "within 1 km"
