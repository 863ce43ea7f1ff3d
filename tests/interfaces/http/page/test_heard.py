"""Words on the page become filters that say the same; what none says, and what was not understood,
is named."""

import numpy as np
import pytest

from concede import Query, RepairEngine
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.extraction.extracted import (
    Extracted,
    ExtractedObjective,
    Extraction,
    Leaning,
    Unresolved,
)
from concede.dialogs.transcripts.transcript import Span
from concede.interfaces.http.app import create_app
from concede.interfaces.http.page.constraints import question_of
from concede.interfaces.http.page.form_model import form_model
from concede.interfaces.http.page.heard import Heard, hear
from concede.interfaces.http.page.query_string import parse_query_string
from page_server import app_server, get
from parsed_html import Markup
from shop_window import shop_window

CATALOG = shop_window()
FORM = form_model(CATALOG)
SAID = Span(0, 0, 4, "said")


class Fixed:
    """A reader that always reads the same."""

    def __init__(self, *constraints, **parts):
        wishes = tuple(Extracted(wish, 0.9, SAID, "said") for wish in constraints)
        self.found = Extraction(wishes, **parts)

    def extract(self, said, catalog, *, slot=None, today=None):
        return self.found


def wish(column, op, value=None, **fields):
    return Constraint(column=column, op=op, value=value, **fields)


def heard(reader, address="say=words"):
    return hear(parse_query_string(address.encode()), CATALOG, reader)


@pytest.mark.parametrize(
    ("constraint", "filters"),
    [
        (wish("maker", "==", "Birch"), {"is.maker": ("Birch",)}),
        (wish("maker", "in", ("Birch", "Oak")), {"is.maker": ("Birch", "Oak")}),
        (wish("maker", "!=", "Birch"), {"not.maker": ("Birch",)}),
        (wish("maker", "not in", ("Birch", "Oak")), {"not.maker": ("Birch", "Oak")}),
        (wish("fanless", "==", True), {"is.fanless": ("True",)}),
        (wish("price_eur", "<", 900), {"under.price_eur": ("900",)}),
        (wish("price_eur", "<=", 900), {"max.price_eur": ("900",)}),
        (wish("price_eur", ">", 900), {"over.price_eur": ("900",)}),
        (wish("weight", ">=", 1.25), {"min.weight": ("1.25",)}),
        (wish("price_eur", "==", 900), {"is.price_eur": ("900",)}),
        (wish("price_eur", "not in", (900, 905)), {"not.price_eur": ("900", "905")}),
        (
            wish("price_eur", "between", (500, 900)),
            {"min.price_eur": ("500",), "max.price_eur": ("900",)},
        ),
        (wish("released", "<", "2022-01-20"), {"under.released": ("2022-01-20",)}),
        (wish("released", ">", "2022-01-20"), {"over.released": ("2022-01-20",)}),
        (wish("name", "contains", "irch"), {"has.name": ("irch",)}),
    ],
)  # fmt: skip
def test_the_filters_say_what_the_constraint_does(constraint, filters):
    search, told = heard(Fixed(constraint))
    assert {criterion.key: criterion.values for criterion in search.criteria} == filters
    assert told.without_filter == ()
    again = parse_query_string(search.address.removeprefix("?").encode())
    assert again.criteria == search.criteria
    question = question_of(again, FORM, CATALOG)
    assert not question.faults
    asked = Query(constraints=(constraint,))
    assert np.array_equal(found(question.query), found(asked))


def found(query):
    return CATALOG.slice([CATALOG.bind(part) for part in query.constraints]).ids


def test_hard_wishes_are_musts_and_vague_ones_weigh_less():
    soft = wish("weight", "<=", 1.3)
    reader = Fixed(
        wish("maker", "==", "Birch", hard=True),
        leanings=(Leaning("weight", "min", soft, 0.9, SAID, "said"),),
        objectives=(ExtractedObjective("price_eur", "min", 0.9, SAID, "said"),),
    )
    search, _ = heard(reader)
    assert [(part.key, part.must, part.weight) for part in search.criteria] == [
        ("is.maker", True, 50),
        ("max.weight", False, 25),
    ]
    assert [(part.value, part.weight) for part in search.preferences] == [("low.price_eur", 50)]


def test_a_vague_wish_beside_a_stated_bound_is_a_preference():
    soft = wish("price_eur", "<=", 500)
    reader = Fixed(
        wish("price_eur", "<=", 900),
        leanings=(Leaning("price_eur", "min", soft, 0.9, SAID, "said"),),
    )
    search, told = heard(reader)
    assert [(part.key, part.values) for part in search.criteria] == [("max.price_eur", ("900",))]
    assert [(part.value, part.weight) for part in search.preferences] == [("low.price_eur", 25)]
    assert told.without_filter == ()


@pytest.mark.parametrize("part", ["leanings", "objectives"])
def test_no_preference_is_made_of_texts_that_no_rows_are_ranked_by(part):
    stated, soft = wish("maker", "<=", "Maple"), wish("maker", "<=", "Birch")
    aims = {
        "leanings": Leaning("maker", "min", soft, 0.9, SAID, "said"),
        "objectives": ExtractedObjective("maker", "min", 0.9, SAID, "said", soft),
    }
    search, _ = heard(Fixed(stated, **{part: (aims[part],)}))
    assert search.preferences == ()
    question = question_of(search, FORM, CATALOG)
    RepairEngine(CATALOG).repair(question.query)


def test_what_is_said_of_a_column_takes_the_place_of_its_filters():
    before = "say=words&max.price_eur=600&is.maker=Oak&prefer=high.weight&prefer=low.price_eur"
    reader = Fixed(wish("price_eur", "<", 900), waived=("maker", "weight"))
    search, told = heard(reader, before)
    assert [part.key for part in search.criteria] == ["under.price_eur"]
    assert [part.value for part in search.preferences] == ["low.price_eur"]
    assert told.waived == ("maker", "weight")
    assert search.said == ""


def test_what_no_filter_says_is_named():
    reader = Fixed(
        wish("price_eur", "is not null"),
        wish("name", "contains", "1"),
        wish("name", "contains", "2"),
        not_understood=(Unresolved(SAID, "not understood"),),
    )
    search, told = heard(reader)
    assert [part.key for part in search.criteria] == ["has.name"]
    assert len(told.without_filter) == 2
    assert told.not_understood == ("said",)
    assert not told.is_empty
    assert heard(Fixed())[1] == Heard("words", is_empty=True)


@pytest.fixture(scope="module")
def address():
    with app_server(create_app({"shop": CATALOG})) as found:
        yield found


def test_the_page_shows_what_was_understood(address):
    response, text = get(f"{address}?say=a+Birch+with+glorbest+%3Cb%3Eflimflam%3C/b%3E")
    assert response.status == 200
    page = Markup(text)
    told = " ".join(element.text for element in page.all("p"))
    assert "You said" in text
    assert "Not understood" in told
    assert "<b>flimflam" not in text
    assert "is.maker=Birch" in text
    assert 'value="a Birch' not in text


@pytest.mark.parametrize("said", ["", "%00", "x" * 5000, "%F0%9F%A6%84" * 300, "+" * 200])
def test_any_words_give_a_page(address, said):
    assert get(f"{address}?say={said}")[0].status == 200
