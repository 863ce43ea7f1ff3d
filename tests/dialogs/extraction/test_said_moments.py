"""Days and times as people say them in conversations about appointments."""

from datetime import date

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.clocks import find_clocks
from concede.dialogs.extraction.dates import find_days
from concede.dialogs.extraction.offline import extract

TUESDAY = date(2019, 3, 5)


@pytest.mark.parametrize(
    ("text", "said", "day"),
    [
        ("on the 10th of this month", "the 10th of this month", date(2019, 3, 10)),
        ("the 2nd of next month", "the 2nd of next month", date(2019, 4, 2)),
        ("Thursday next week", "Thursday next week", date(2019, 3, 14)),
        ("Monday this week", "Monday this week", date(2019, 3, 4)),
        ("later today", "later today", TUESDAY),
        ("the 2nd", "the 2nd", date(2019, 4, 2)),
    ],
)
def test_days(text, said, day):
    found = [(text[one.start : one.end], one.first) for one in find_days(text, TUESDAY)]
    assert found == [(said, day)]


@pytest.mark.parametrize(
    ("text", "said", "minutes"),
    [
        ("at evening 5:30", "evening 5:30", 1050),
        ("four pm", "four pm", 960),
        ("2:45 in the morning", "2:45 in the morning", 165),
        ("quarter past 9 in the night", "quarter past 9 in the night", 1275),
        ('8 o"clock in the morning', '8 o"clock in the morning', 480),
    ],
)
def test_times(text, said, minutes):
    found = [(text[one.start : one.end], one.minutes) for one in find_clocks(text)]
    assert found == [(said, ((minutes, minutes),))]


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("I have to be done by 14:00", "closes ≤ 14:00"),
        ("it must be over by 6pm", "closes ≤ 18:00"),
        ("I can't be there before nine in the morning", "opens ≥ 09:00"),
    ],
)
def test_what_is_over_by_a_time_ends_then(text: str, bound: str) -> None:
    times = {
        "shop": [f"Shop {n}" for n in range(8)],
        "opens": ["07:00", "08:00", "09:00", "10:00"] * 2,
        "closes": ["12:00", "14:00", "17:00", "19:00"] * 2,
    }
    with Catalog.open(pa.table(times)) as shops:
        assert [str(part.constraint) for part in extract(text, shops).constraints] == [bound]
