"""What a visitor reads: what gave way, what an item meets and misses, and why it stands there."""

import re

import pytest

from concede import RepairEngine
from concede.catalogs.deadline import Deadline
from concede.interfaces.http.page.constraints import question_of
from concede.interfaces.http.page.form_model import form_model
from concede.interfaces.http.page.items import Card, title
from concede.interfaces.http.page.layout import page
from concede.interfaces.http.page.query_string import FIRST_ITEMS, MOST_ITEMS, parse_query_string
from concede.interfaces.http.page.result import summary
from concede.interfaces.http.page.tried import with_offers
from concede.interfaces.http.page.view_model import Outcome, ask_engine
from concede.interfaces.http.page.wording import LONGEST_SHOWN, label, value_words
from parsed_html import Element, Markup
from shop_window import shop_window

ENGINE = RepairEngine(shop_window(300))
FORM = form_model(ENGINE.catalog, "shop")
CLASH = "is.maker=Birch&is.fanless=true&max.price_eur=600&min.released=2020-01-01"


def see(query: str) -> Outcome:
    search = parse_query_string(query.encode())
    outcome = ask_engine(ENGINE, search, question_of(search, FORM, ENGINE.catalog), 30)
    return with_offers(outcome, FORM, ENGINE.catalog, ENGINE, Deadline(None))


def read(query: str, catalogs: tuple[str, ...] = ("shop",)) -> Markup:
    return Markup(page(see(query), FORM, catalogs))


def words(found: list[Element]) -> list[str]:
    return [" ".join(element.text.split()) for element in found]


def test_the_conflict_in_words():
    notice = words(read(CLASH).all("section", class_="notice"))[0]
    assert "Nothing matches all 4 filters" in notice
    assert "No item meets both maker: Birch and fanless: yes." in notice
    assert "No item meets both fanless: yes and price eur ≤ 600." in notice
    assert "So this gives way: fanless: yes Put back" in notice


def test_a_bound_that_moved_says_where_to_and_can_be_put_back():
    address = "is.maker=Maple&max.price_eur=450&policy=closest"
    outcome = see(address)
    ((key, to),) = outcome.moved.items()
    assert key == "max.price_eur"
    markup, price = read(address), value_words(to.value, "price_eur")
    assert words(markup.all("del", class_="words")) == ["price eur ≤ 450"]
    assert set(words(markup.all("span", class_="words moved"))) == {f"→ {price}"}
    notice = words(markup.all("section", class_="notice"))[0]
    assert f"So this gives way: price eur ≤ 450 → {price} Put back" in notice
    assert summary(outcome, FORM) == (
        f"Nothing matches everything. With price eur to {price}: {outcome.answer.count} item."
    )
    assert "nearest first" in words(markup.all("p", class_="quiet")) or outcome.answer.count < 2


def test_what_no_item_meets_is_not_offered_to_be_put_back():
    markup = read("is.maker=Birch&max.price_eur=10&policy=closest")
    assert words(markup.all("del", class_="words")) == ["price eur ≤ 10"]
    assert "Put back" not in markup.one("main").text


def test_what_gave_way_is_struck_through_and_the_rest_is_not():
    markup = read(CLASH)
    assert words(markup.all("del", class_="words")) == ["fanless: yes"]
    assert words(markup.all("span", class_="words")) == [
        "maker: Birch",
        "price eur ≤ 600",
        "released from 2020-01-01",
    ]


def test_an_item_says_what_it_meets_and_what_was_wanted():
    markup = read(CLASH)
    assert words(markup.all("p", class_="meets"))[0] == "meets 3 of 4"
    missed = words(markup.all("div", class_="missed"))[0]
    assert missed == "fanless✗misses: no wanted yes"
    assert words(markup.all("div", class_="met"))[0] == "maker✓meets: Birch"


def test_points_add_up():
    for entry in read(CLASH + "&prefer=low.weight&weight.prefer.weight=30").all("table")[:3]:
        parts = [tuple(map(int, pair)) for pair in re.findall(r"(\d+) of (\d+)", entry.text)]
        *rows, total = parts
        assert len(rows) == 5
        assert abs(sum(share for share, _ in rows) - total[0]) <= len(rows)
        assert sum(most for _, most in rows) == total[1] == 230


def test_preferences_decide_the_order():
    cheap, dear = see("prefer=low.price_eur"), see("prefer=high.price_eur")
    assert [item.row["price_eur"] for item in cheap.answer.items][:2] == [400, 410]
    assert cheap.answer.items[0].row["price_eur"] < dear.answer.items[0].row["price_eur"]
    assert "lower price eur" in read("prefer=low.price_eur").one("main").text


def test_more_items_are_one_link_away_up_to_the_most():
    first = read("is.maker=Maple")
    assert len(first.all("li", class_="item")) == FIRST_ITEMS
    more = first.one("a", id="more")
    second = read(str(more.attributes["href"]).removeprefix("?"))
    assert len(second.all("li", class_="item")) == 2 * FIRST_ITEMS
    assert read(f"is.maker=Maple&top={MOST_ITEMS}").all("a", id="more") == []
    assert read("is.name=Birch+book+0").all("a", id="more") == []


def test_the_engines_own_words_are_there_in_full():
    outcome = see(CLASH)
    assert outcome.answer.explanation in read(CLASH).one("details", class_="record").text


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("", "300 items in all."),
        ("is.maker=Birch", "100 items match."),
        ("is.name=Birch+book+0", "1 item matches."),
        (CLASH, "Nothing matches everything. Without fanless: yes: 21 items."),
        (f"{CLASH}&must=is.maker&must=is.fanless", "Nothing matches."),
        ("has.name=zebra", "Nothing matches everything. Without name has “zebra”: 300 items."),
    ],
)
def test_the_outcome_in_one_sentence(query: str, sentence: str):
    assert summary(see(query), FORM) == sentence
    markup = read(query)
    assert markup.one("main").attributes["data-summary"] == sentence
    assert markup.one("title").text == f"shop – {sentence}"


def test_a_dead_end_shows_the_ways_out():
    markup = read(f"{CLASH}&must=is.maker&must=is.fanless")
    notice = words(markup.all("section", class_="notice"))[0]
    assert "Nothing matches all that is a must" in notice
    assert "Let maker: Birch give way" in notice
    assert "Let fanless: yes give way" in notice
    assert "price eur" not in notice


def test_a_way_out_of_a_dead_end_leads_to_as_many_items_as_it_says():
    stuck = f"{CLASH}&has.name=zebra&must=is.maker&must=is.fanless&must=has.name"
    for query in (f"{CLASH}&must=is.maker&must=is.fanless", f"{CLASH}&must=is.fanless", stuck):
        outcome = see(query)
        for way in outcome.must_ways:
            led_to = see(way.search.address.removeprefix("?"))
            assert led_to.answer.count == way.count > 0
        links = read(query).all("span", class_="count")
        assert all(words([link]) != ["0 items"] for link in links)
    # Of these musts, letting one alone give way leads to nothing: so it is not offered.
    assert {len(way.dropped) for way in see(stuck).must_ways} == {2}


def test_catalogs_are_offered_where_there_are_several():
    markup = read("", ("shop", "other shop"))
    links = markup.all("a", href="?catalog=other+shop")
    assert words(links) == ["other shop"]
    assert words(
        [element for element in markup.all("a") if "aria-current" in element.attributes]
    ) == ["shop"]
    assert read("").all("nav") == []


def test_nothing_is_left_unsaid_about_an_address_too_full():
    query = "&".join(f"min.column{i}=1" for i in range(30))
    assert "6 filters are more than fit" in read(query).one("main").text


def test_values_are_written_for_people():
    assert value_words(None) == value_words("") == "—"
    assert (value_words(True), value_words(1234567), value_words(2017, "Year")) == (
        "yes",
        "1,234,567",
        "2017",
    )
    assert len(value_words("x" * 9999)) == len(label("x" * 9999)) == LONGEST_SHOWN
    assert (label("price_per_night"), label("_")) == ("price per night", "_")


def test_an_item_without_a_name_has_a_number():
    card = Card(7, dict.fromkeys(FORM.titles), frozenset())
    assert title(card, FORM) == "Item 7"


def test_a_mistyped_value_is_asked_back_and_a_long_one_is_not():
    assert "Did you mean Birch?" in read("is.maker=Brich").one("main").text
    assert "Did you mean" not in read("is.maker=" + "Birch" * 9).one("main").text
