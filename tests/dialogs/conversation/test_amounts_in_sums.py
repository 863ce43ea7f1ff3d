"""Numbers in a question for a sum that count nothing: amounts, measures, times and prices."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pytest

from concede import Catalog
from concede.dialogs import Session
from concede.dialogs.conversation.spoken_sums import sum_said

LAMPS = Catalog.open(
    pa.table(
        {
            "lamp": ["Heron", "Ibis", "Jackdaw", "Kestrel"],
            "price_eur": [12, 19, 23, 45],
            "height_cm": [40, 55, 120, 150],
        }
    ),
    key="lamp",
)


def times(text: str, items: Sequence[str] = ("Heron",)) -> list[float]:
    talk = Session(LAMPS)
    return [part["times"] for part in sum_said(talk, text, [], items, {})]


@pytest.mark.parametrize(
    "text",
    [
        "what does it come to, my aunt gave me 20 quid",
        "my shelf is 3 metres long, what would the Heron come to",
        "I must be home by 19:30, what is the total",
        "on the 3rd I have £50, what does that come to altogether",
        "so 12, and the bag, what does it come to",
    ],
)
def test_an_amount_multiplies_nothing(text: str) -> None:
    assert times(text) == [1.0]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("what do 4 come to", 4.0),
        ("I have 50 euros, what do three of them come to", 3.0),
        ("it is 12 euros, what would six come to", 6.0),
    ],
)
def test_a_number_that_counts_still_does(text: str, number: float) -> None:
    assert times(text) == [number]
