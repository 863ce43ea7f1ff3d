"""What people call much and little, values and columns: the right reading is offered."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.mention import Mention
from concede.dialogs.extraction.mentions import find_mentions
from concede.dialogs.extraction.reading import Reading, asked_columns
from concede.dialogs.extraction.value_index import index_of
from concede.dialogs.language.column_phrases import column_topics
from concede.dialogs.language.grades import grades
from concede.dialogs.language.units import spelling
from concede.dialogs.language.word_families import akin

COLUMNS = {
    "field": ["neurology", "paediatrics", "general practice", "dermatology"],
    "made_in": ["Portugal", "Republic of Ireland", "France", "Peru"],
    "milk": ["goat", "sheep", "cow", "buffalo"],
    "shape": ["inflatable dome", "inflatable tunnel", "ridge", "dome"],
    "maker": ["De'Longhi", "Kestrel", "Northfold", "Amberley"],
    "format": ['7" single', '12" single', "LP", "EP"],
    "res": ["4K UHD", "8K UHD", "Full HD", "HD"],
    "case": ["waxed", "none", "smoked", "plain"],
    "prc": [20, 40, 60, 80],
    "dlv_days": [1, 4, 9, 21],
    "wrnty_m": [12, 24, 36, 60],
    "set up fee": [0, 5, 10, 20],
    "Nights": [3, 7, 10, 14],
    "thrust": [1, 5, 7, 9],
    "h24": ["Y", "N", "Y", "N"],
}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog.open(pa.table({name: values * 3 for name, values in COLUMNS.items()}))


def mentions_of(catalog: Catalog, text: str, question: str = "") -> list[Mention]:
    index = index_of(catalog)
    asked = asked_columns(question, index) if question else {}
    return find_mentions(Reading(text, 0, index, asked, question=question))


@pytest.mark.parametrize(
    ("text", "column", "direction"),
    [
        ("one that doesn't cost the earth", "prc", "max"),
        ("the priciest", "prc", "max"),
        ("a sensible price please", "prc", "min"),
        ("dirt cheap", "prc", "min"),
        ("i need it asap", "dlv_days", "min"),
        ("as quickly as possible", "dlv_days", "min"),
        ("the shorter the better", "Nights", "min"),
        ("a longish one", "Nights", "max"),
        ("with decent cover, so a long guarantee", "wrnty_m", "max"),
        ("plenty of thrust", "thrust", "max"),
        ("highish thrust", "thrust", "max"),
        ("the chepest", "prc", "min"),
    ],
)
def test_much_and_little_are_offered(
    catalog: Catalog, text: str, column: str, direction: str
) -> None:
    graded = [mention for mention in mentions_of(catalog, text) if mention.kind == "grade"]
    offered = {(o.column, o.values[0]) for mention in graded for o in mention.options}
    assert (column, direction) in offered


def test_a_word_for_any_column_is_about_the_one_asked_for(catalog: Catalog) -> None:
    found = mentions_of(catalog, "as little as possible", "How much thrust?")
    graded = [mention for mention in found if mention.kind == "grade"]
    assert [o.column for mention in graded for o in mention.options] == ["thrust"]


@pytest.mark.parametrize(
    ("text", "column", "values"),
    [
        ("a neurologist", "field", {"neurology"}),
        ("a pediatrician", "field", {"paediatrics"}),
        ("a gp", "field", {"general practice"}),
        ("a skin doctor", "field", {"dermatology"}),
        ("something portugese", "made_in", {"Portugal"}),
        ("an irish one", "made_in", {"Republic of Ireland"}),
        ("goat's milk", "milk", {"goat"}),
        ("ewe's milk", "milk", {"sheep"}),
        ("an inflatable one", "shape", {"inflatable dome", "inflatable tunnel"}),
        ("a delonghi", "maker", {"De'Longhi"}),
        ("a seven inch", "format", {'7" single'}),
        ("4k please", "res", {"4K UHD"}),
        ("coated in wax", "case", {"waxed"}),
        ("no case", "case", {"none"}),
    ],
)
def test_values_are_offered(catalog: Catalog, text: str, column: str, values: set[str]) -> None:
    options = [o for mention in mentions_of(catalog, text) for o in mention.options]
    assert any(o.column == column and set(o.values) == values for o in options)


def test_nothing_of_a_number_is_none(catalog: Catalog) -> None:
    found = [m for m in mentions_of(catalog, "no set up fee") if m.kind == "number"]
    assert [(o.column, o.values) for m in found for o in m.options] == [("set up fee", (0,))]


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("open round the clock", "h24"),
        ("money no object", "prc"),
        ("whatever make", "maker"),
        ("i don't care who makes it", "maker"),
        ("a long warrenty", "wrnty_m"),
    ],
)
def test_columns_are_named(catalog: Catalog, text: str, column: str) -> None:
    named = [m for m in mentions_of(catalog, text) if m.kind == "name"]
    assert column in {o.column for mention in named for o in mention.options}


@pytest.mark.parametrize(
    ("name", "topic"),
    [
        ("prc", "price"),
        ("wrnty_m", "warranty"),
        ("dlv_days", "delivery"),
        ("yrs_exp", "experience"),
        ("dpth_cm", "depth"),
        ("smkr", "smoking"),
    ],
)
def test_short_forms_lead_to_topics(name: str, topic: str) -> None:
    assert topic in column_topics(name)


@pytest.mark.parametrize("name", ["Condition", "Show", "Coat", "Energy", "ref"])
def test_whole_words_are_no_short_forms(name: str) -> None:
    assert not set(column_topics(name)) & {"cooling", "shower", "term", "calories", "refillable"}


def test_a_question_with_a_yes_no_column_is_about_it(catalog: Catalog) -> None:
    assert "h24" in asked_columns("Must the maker be open around the clock?", index_of(catalog))


def test_what_is_compared_is_english() -> None:
    assert ("priciest",) in grades()
    assert ("driest",) in grades()
    assert ("theest", "earth") not in grades()


def test_owners_and_spellings_agree() -> None:
    assert spelling("women's") == spelling("womens") == spelling("women") == "women"
    assert spelling("paediatric") == "pediatric"
    assert spelling("it's") == "it's"


def test_endings_go_either_way() -> None:
    assert "neurologist" in akin("neurology")
    assert "neurology" in akin("neurologist")
    assert "work" not in akin("working")


def test_words_drawn_together_are_no_value() -> None:
    assert spelling("i'm") != spelling("im")
    assert spelling("de'longhi") == spelling("delonghi")


def test_a_values_own_words_come_before_its_familys() -> None:
    drives = ["all wheel drive", "four wheel drive", "rear wheel drive"]
    table = pa.table({"drive": [*drives, *drives, "all wheel drive", "all wheel drive"]})
    with Catalog.open(table) as wheels:
        found = mentions_of(wheels, "a car with four wheel drive")
        firsts = [mention.options[0].values[0] for mention in found if mention.kind == "value"]
        assert firsts == ["four wheel drive"]
