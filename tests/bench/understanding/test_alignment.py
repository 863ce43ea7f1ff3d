"""What labelled sentences say of the mentions that the reader finds in them."""

from datetime import date

import pytest

from concede.bench.understanding.alignment import Label, align
from concede.bench.understanding.labelled import (
    LabelledConstraint,
    LabelledDirection,
    LabelledSentence,
)
from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import index_of

pa = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def cars():
    """Ten small cars."""
    colours = ["red", "blue", "dark green", "white", "black"] * 2
    return Catalog.open(pa.table({"colour": colours, "price": list(range(1000, 2000, 100))}))


def aligned(text, catalog, **meant):
    reading = Reading(text, 0, index_of(catalog), {}, date(2026, 1, 1))
    return align(reading, LabelledSentence("cars", text, **meant))


def meant(found):
    return {
        found.reading.text[
            found.reading.words[m.first].start : found.reading.words[m.last].end
        ]: label
        for m, label in zip(found.mentions, found.labels, strict=True)
        if isinstance(label, Label)
    }


def test_a_span_selects_the_option_and_its_side(cars):
    text = "a red one under 1500, my last one cost 1800"
    constraints = (
        LabelledConstraint("colour", "==", "red", (2, 5)),
        LabelledConstraint("price", "<=", 1500, (16, 20)),
    )
    labels = meant(aligned(text, cars, constraints=constraints))
    assert set(labels) == {"red", "1500"}
    assert (labels["red"].polarity, labels["1500"].side) == ("wanted", "<=")


def test_what_no_mention_can_mean_is_missed(cars):
    found = aligned(
        "a purple one", cars, constraints=(LabelledConstraint("colour", "==", "red", (2, 8)),)
    )
    assert len(found.missed) == 1
    assert meant(found) == {}


def test_one_of_two_is_linked_as_or(cars):
    constraint = LabelledConstraint("colour", "in", ["red", "blue"], (0, 11))
    found = aligned("red or blue", cars, constraints=(constraint,))
    assert [link for _, _, link in found.links()] == ["or"]


def test_an_objective_selects_its_direction(cars):
    found = aligned("the cheapest", cars, objectives=(LabelledDirection("price", "min", (4, 12)),))
    assert [label.grade for label in meant(found).values()] == ["objective"]
