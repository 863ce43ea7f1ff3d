"""Words that link to nothing, what is told, and who writes."""

import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.clarification.clarify import clarify

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
