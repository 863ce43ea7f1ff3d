"""Words that link to nothing, what is told, and who writes."""

import numpy as np
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.clarification.clarify import clarify
from concede.dialogs.clarification.look import Look
from concede.dialogs.clarification.nearest import longer_values
from concede.dialogs.clarification.offers import Offering
from concede.dialogs.clarification.spots import find_spots
from concede.dialogs.extraction.offline import extract

ROWS = """name,chest_cm,waist_cm,extras,notes
Jester 1,90,70,hat; cape,old oak chest
Jester 2,96,80,hat; fan,new lining
Jester 3,100,84,cape; sword,
Jester 4,110,96,hat; sword,
"""


@pytest.fixture
def catalog(tmp_path):
    path = tmp_path / "costumes.csv"
    path.write_text(ROWS, encoding="utf-8")
    return Catalog.open(path)


def test_what_links_to_nothing_has_counted_answers(catalog):
    (unknown,) = clarify("with a monocle", catalog).unknowns
    assert unknown.kind == "unlinked"
    counted = [option for option in unknown.options if option.constraint is not None]
    assert counted
    assert all(option.rows > 0 for option in counted)


@pytest.mark.parametrize(
    "text",
    ["chest 96 cm, waist at most 84 cm", "a Jester", "with a hat please. Best wishes, Tom"],
)
def test_what_is_told_is_not_asked(catalog, text):
    assert not clarify(text, catalog).unknowns


def test_two_things_and_a_question_mark_hesitate(catalog):
    kinds = [unknown.kind for unknown in clarify("hat or cape? I'm torn", catalog).unknowns]
    assert kinds == ["alternatives"]


def test_longer_values_are_offered_beside_one_that_is_a_part_of_them(tmp_path):
    path = tmp_path / "guitars.csv"
    woods = ("maple", "flamed maple", "cedar", "koa")
    rows = [f"{woods[at % 4]},{100 + at * 13 % 700}" for at in range(60)]
    path.write_text("\n".join(["body wood,price", *rows]), encoding="utf-8")
    catalog, text = Catalog.open(path), "maple, under 600"
    look = Look.at(text, catalog)
    (spot,) = [spot for spot in find_spots(look, {}) if spot.kind == "ambiguous"]
    assert spot.features["longer"] > 0
    offering = Offering(look, catalog, np.arange(60), extract(text, catalog))
    assert [wish.value for wish in offering.offers(spot)] == ["maple", "flamed maple"]
    assert longer_values(look.reading.index, "body wood", "cedar") == []
