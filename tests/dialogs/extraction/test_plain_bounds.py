"""A message that says nothing but a bound says its side; any other leaves it as it was decided."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.mentions import find_mentions
from concede.dialogs.extraction.plain_bounds import side_of_plain_bound
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import ValueIndex, index_of


@pytest.fixture(scope="module")
def index() -> ValueIndex:
    return index_of(Catalog.open(pa.table({"walk_mins": [*range(3, 43)], "zone": ["a", "b"] * 20})))


@pytest.mark.parametrize(
    ("text", "decided", "side"),
    [
        ("anything over 15", "<=", ">"),
        ("anything over 15 minutes is fine", "<", ">"),
        ("it has to be under 15", ">", "<"),
        ("15 at the very most", ">=", "<="),
        ("nothing below 15", "<", ">="),
        ("anything over 15", ">=", ">="),
        ("15 please", "<=", "<="),
        ("anything over 15", "==", "=="),
        ("anything over 15 makes my knee hurt", "<=", "<="),
        ("no, anything over 15", "<=", "<="),
        ("over 15 and under 15", ">", ">"),
        ("older than 15", "<", "<"),
    ],
)
def test_the_words_of_a_bound_alone_decide(
    index: ValueIndex, text: str, decided: str, side: str
) -> None:
    reading = Reading(text, 0, index, {})
    mention = next(one for one in find_mentions(reading) if one.kind == "number")
    assert side_of_plain_bound(reading, mention, decided) == side
