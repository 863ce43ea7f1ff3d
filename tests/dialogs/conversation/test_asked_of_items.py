"""What is asked of items is answered in the columns asked for, and what is named is taken."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.dialogs import Session

pa = pytest.importorskip("pyarrow")

VANS = Catalog.open(
    pa.table(
        {
            "van": ["Ford Nugget 31", "Ford Nugget 42", "Fiat Ducato 53", "Opel Vivaro 64"],
            "price (EUR)": [21000, 23000, 26000, 29000],
            "consumption (l/100km)": [8.5, 7.5, 9.5, 6.5],
            "fuel": ["diesel", "petrol", "diesel", "petrol"],
            "seats": [5, 5, 7, 7],
            "rating": [3.5, 4.0, 4.5, 4.9],
            "extras": [
                "awning; bike rack",
                "awning; stove",
                "stove; fridge",
                "bike rack; stove; fridge",
            ],
        }
    )
)
CLASSES = Catalog.open(
    pa.table(
        {
            "class": ["Clay Basics", "Oil Painting", "Silk Printing", "Stone Carving"],
            "teacher": ["Ana Petrov", "Ben Wolf", "Cleo Marsh", "Dana Kern"],
            "weekday": ["Monday", "Thursday", "Friday", "Tuesday"],
            "begins at": ["18:30", "19:00", "17:30", "20:00"],
            "hours per evening": [2, 3, 2, 1],
            "weeks": [6, 8, 10, 12],
            "fee (EUR)": [90, 120, 150, 80],
            "pay per hour (EUR)": [20, 21, 22, 23],
        }
    )
)
BARS = Catalog.open(
    pa.table(
        {
            "bar": ["Blue Fox", "Red Hen", "Old Oak", "Gold Cup"],
            "opens at": ["17:00", "18:00", "19:00", "16:00"],
            "closes at": ["23:00", "01:00", "22:30", "23:30"],
            "price per glass (EUR)": [5, 6, 7, 8],
            "price per bottle (EUR)": [25, 26, 27, 28],
            "free from": ["2031-04-02", "2031-04-05", "2031-05-03", "2031-05-09"],
            "nuts": ["yes", "no", "yes", "no"],
        }
    )
)


def replies(catalog: Catalog, *said: str) -> tuple[Session, str]:
    talk = Session(catalog, weighter="lexical")
    talk.hear(said[0])
    talk.propose()
    reply = ""
    for text in said[1:]:
        reply = talk.hear(text).reply
    return talk, reply


@pytest.mark.parametrize(
    ("catalog", "first", "question", "told", "untold"),
    [
        (VANS, "5 seats", "how much fuel does it use?", "8.5", "21,000"),
        (VANS, "5 seats", "and how much is it?", "21,000", "8.5"),
        (VANS, "5 seats", "how much does it cost to buy?", "21,000", "8.5"),
        (CLASSES, "weeks at most 6", "which evening is that?", "weekday Monday", "hours"),
        (CLASSES, "weeks at most 6", "when is it?", "weekday Monday", "hours"),
        (CLASSES, "weeks at most 6", "how long is it?", "hours per evening 2", "Monday"),
        (CLASSES, "weeks at most 6", "how many weeks is it?", "weeks 6", "Monday"),
        (BARS, "with nuts", "is it open until late on fridays?", "closes at 23:00", "opens"),
        (BARS, "with nuts", "when does it open?", "17:00", "23:00"),
        (BARS, "with nuts", "how much per bottle?", "25", "glass"),
    ],
)
def test_a_question_is_answered_from_the_column_it_asks_for(
    catalog: Catalog, first: str, question: str, told: str, untold: str
):
    reply = replies(catalog, first, question)[1].split(". ")[0]
    assert told in reply
    assert untold not in reply


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what extras do they offer?", "extras awning, bike rack"),
        ("Does it have a fridge and how many seats are there?", "no fridge"),
        ("Is there a fridge?", "no fridge"),
        ("Is there an awning?", "yes"),
    ],
)
def test_what_a_list_of_the_offered_item_holds(question: str, told: str):
    talk, reply = replies(VANS, "at most 22,000 euros", question)
    assert told in reply
    assert all(wish.column != "extras" for wish in talk.preferences.known)


def test_a_price_range_is_wished_and_compares_nothing():
    question = "between 20000 and 22000 euros, and which have an awning?"
    assert "price between 20,000 and 22,000" in replies(VANS, "5 seats", question)[1]


def test_an_item_that_is_taken_on_a_condition_is_not_taken():
    talk, _ = replies(BARS, "with nuts", "book Blue Fox if it is free by 3 April 2031")
    assert talk.accepted is None


def test_others_with_a_feature_are_wished_for():
    talk, _ = replies(VANS, "at most 22,000 euros", "are there any others with a fridge?")
    assert talk.offered is None or "fridge" in talk.offered.row["extras"]


@pytest.mark.parametrize(
    "question",
    [
        "Between the Nugget 31 and the Ducato, which one would be cheaper to run?",
        "which one is cheaper to run, this one or the Ducato?",
    ],
)
def test_named_items_are_compared_and_nothing_is_wished(question: str):
    talk, reply = replies(VANS, "at most 28,000 euros", question)
    known = [*talk.preferences.known]
    assert reply.startswith("The lowest consumption")
    assert "Ford Nugget 31 (diesel): consumption" in reply
    assert "Fiat Ducato 53 (diesel): consumption" in reply
    assert "Nugget 42" not in reply
    assert [wish.column for wish in known] == ["price (EUR)"]


@pytest.mark.parametrize(
    "text", ["whats the diffrence between them", "and compare them pls", "compare them"]
)
def test_a_comparison_is_known_by_its_words(text: str):
    assert "1. Ford Nugget 31" in replies(VANS, "at most 28,000 euros", text)[1]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("hm, 21,000. the Ducato had more seats, right? lets take that", "Fiat Ducato 53"),
        ("the rating doesn't matter, just book the Vivaro", "Opel Vivaro 64"),
        ("ill take the Ducato. how many seats does it have?", "Fiat Ducato 53"),
        ("I'll take the Ducato, not the Vivaro", "Fiat Ducato 53"),
        ("ok, take it", "Ford Nugget 31"),
    ],
)
def test_what_is_named_is_taken(text: str, name: str):
    _, reply = replies(VANS, "extras with awning or stove or fridge", text)
    assert f"Taken: {name}" in reply


def test_who_books_may_say_from_when():
    talk, reply = replies(BARS, "with nuts", "Blue Fox it is then, book it from 1 May 2031")
    assert reply.startswith("Taken: Blue Fox")
    talk, reply = replies(BARS, "with nuts", "it must be free from 1 May 2031")
    assert talk.accepted is None


def test_another_item_than_was_taken_is_taken_where_it_was_said():
    _, reply = replies(VANS, "5 seats", "ok, take it", "no! I said the Vivaro, not the Nugget")
    assert reply.startswith("Taken: Opel Vivaro")


def test_what_only_has_a_number_is_no_wish_for_it():
    talk, _ = replies(VANS, "5 seats", "that one only has 3.5 stars. anything better rated?")
    assert ("rating", ">=", 3.5) not in {(w.column, w.op, w.value) for w in talk.preferences.known}
    assert talk.offered is not None
    assert talk.offered.row["rating"] == 4.0


def test_what_there_is_too_much_of_is_not_offered_once_more():
    text = "8.5 litres is quite thirsty. whats the most economical one you have"
    _, reply = replies(VANS, "at most 22,000 euros", text)
    assert "is given up" in reply or "instead of" in reply


def test_which_of_those_that_are_shown():
    talk, reply = replies(VANS, "with a stove", "which of those 3 has the best rating?")
    assert reply.startswith("The highest rating: Opel Vivaro 64")
    assert [wish.column for wish in talk.preferences.known] == ["extras"]
