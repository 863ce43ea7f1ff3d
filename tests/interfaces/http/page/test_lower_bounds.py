"""Where the clock ended the counting the page says “at least”, wherever it shows a count."""

import re
from dataclasses import replace
from typing import Any

import pytest

from concede import Answer, RepairEngine
from concede.catalogs.deadline import Deadline
from concede.engine.diagnosis import Check
from concede.interfaces.http.page.constraints import question_of
from concede.interfaces.http.page.form_model import form_model
from concede.interfaces.http.page.layout import page
from concede.interfaces.http.page.query_string import parse_query_string
from concede.interfaces.http.page.result import summary
from concede.interfaces.http.page.tried import with_offers
from concede.interfaces.http.page.view_model import Outcome, ask_engine
from parsed_html import Element, Markup
from shop_window import shop_window

SHOP = shop_window(300)
FORM = form_model(SHOP, "shop")
CLASH = "is.maker=Birch&is.fanless=true&max.price_eur=600"


class HastyEngine(RepairEngine):
    """An engine that says of every count that it is of what was counted in time."""

    def repair(self, *question: Any, **options: Any) -> Answer:
        return super().repair(*question, **options).model_copy(update={"counts_exact": False})

    def check(self, *question: Any, **options: Any) -> Check:
        return replace(super().check(*question, **options), stopped_by="deadline")


def see(query: str, engine: type[RepairEngine] = HastyEngine) -> Outcome:
    search, asked = parse_query_string(query.encode()), engine(SHOP)
    outcome = ask_engine(asked, search, question_of(search, FORM, SHOP), None)
    return with_offers(outcome, FORM, SHOP, asked, Deadline(None))


def read(query: str, engine: type[RepairEngine] = HastyEngine) -> Markup:
    return Markup(page(see(query, engine), FORM, ("shop",)))


def words(found: list[Element]) -> list[str]:
    return [" ".join(element.text.split()) for element in found]


def counts(markup: Markup) -> list[str]:
    """Return the counts of the ways that are offered."""
    return [count for count in words(markup.all("span", class_="count")) if "item" in count]


@pytest.mark.parametrize(
    ("query", "sentence", "heading"),
    [
        ("", "At least {} in all.", "At least {}"),
        ("is.maker=Birch", "At least {} match.", "At least {} match"),
        (
            CLASH,
            "Nothing matches everything. Without fanless: yes: at least {}.",
            "At least {} meet the rest",
        ),
        (
            "max.price_eur=1",
            "Nothing matches everything. Without price eur ≤\u00a01: at least {}.",
            "At least {} in all",
        ),
    ],
)
def test_sentences_say_at_least(query: str, sentence: str, heading: str):
    count = f"{see(query).answer.count:,} items"
    assert summary(see(query), FORM) == sentence.format(count)
    markup = read(query)
    assert markup.one("title").text == f"shop – {sentence.format(count)}"
    assert words(markup.all("h2", id="items")) == [heading.format(count)]
    exact = summary(see(query, RepairEngine), FORM)
    assert exact == re.sub("(?i)at least ", "", sentence).format(count)


def test_a_way_has_a_sign_before_its_count():
    for query in (CLASH, f"{CLASH}&must=is.maker&must=is.fanless"):
        ways = counts(read(query))
        assert ways
        assert all(re.fullmatch(r"≥ [\d,]+ items?", way) for way in ways)
        exact = counts(read(query, RepairEngine))
        assert ways == [f"≥ {way}" for way in exact]


def test_the_way_to_more_items_has_it_too():
    (more,) = words(read("").all("a", id="more"))
    assert re.fullmatch(r"Show more of ≥ [\d,]+ items", more)
    assert "≥" not in read("", RepairEngine).one("main").text
