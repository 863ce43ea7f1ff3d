"""What is denied beside an offer: it is lacking, or needed no more; seldom is it unwanted."""

from __future__ import annotations

from datetime import date

import pytest

from concede import Catalog
from concede.dialogs import Session

pa = pytest.importorskip("pyarrow")

COTTAGES = Catalog.open(
    pa.table(
        {
            "cottage": [f"{first} {second}" for first in ("Apple", "Curlew", "Heron", "Slate")
                        for second in ("Barn", "Loft", "Nook")],
            "region": [
                "Dales", "Peaks", "Dales", "Coast", "Coast", "Peaks",
                "Dales", "Coast", "Peaks", "Coast", "Dales", "Peaks",
            ],
            "price_gbp": [500, 640, 580, 720, 690, 430, 610, 800, 555, 470, 660, 520],
            "wifi": [False, True] * 6,
            "features": [
                ["garden", "bath"], ["sauna"], ["garden"], ["bath", "sauna"],
                ["parking"], ["garden", "parking"], ["bath"], ["sauna", "parking"],
                ["garden", "sauna"], ["parking", "bath"], ["bath", "garden"], ["sauna"],
            ],
        }
    ),
    key="cottage",
)  # fmt: skip


def talk(*said: str) -> Session:
    session = Session(COTTAGES, weighter="lexical", max_questions=0)
    for text in said:
        session.respond(text)
    return session


def wishes(session: Session) -> set[tuple[str | None, str, object]]:
    return {(wish.column, wish.op, wish.value) for wish in session.preferences.known}


@pytest.mark.parametrize(
    "text",
    [
        "hm no wifi in that one. anything with wifi?",
        "no wifi is a no from me",
        "that one has no wifi, I need wifi",
    ],
)
def test_who_complains_that_the_offered_item_lacks_something_wishes_for_it(text: str):
    session = talk("a cottage in the Dales", "under 600")
    assert session.offered is not None
    assert session.offered.row["wifi"] is False
    session.respond(text)
    assert ("wifi", "==", True) in wishes(session)


@pytest.mark.parametrize(
    "text",
    [
        "I need one with no wifi, my son is allergic to it",
        "it must have no wifi",
        "no wifi, I need a clean place",
        "no wifi, something else under 650",
        "no wifi",
    ],
)
def test_a_ban_that_the_offered_item_meets_stays_a_ban(text: str):
    session = talk("a cottage in the Dales", "under 600")
    session.respond(text)
    assert ("wifi", "==", False) in wishes(session)


def test_of_several_values_the_one_that_is_no_must_goes():
    session = talk("a cottage in the Dales or the Peaks", "Peaks isn't a must")
    assert wishes(session) == {("region", "==", "Dales")}


@pytest.mark.parametrize("text", ["no bath then", "scrap the bath"])
def test_what_was_wished_and_is_denied_is_needed_no_more(text: str):
    session = talk("a cottage in the Dales", "with a bath")
    assert ("features", "contains", "bath") in wishes(session)
    reply = session.respond(text).text
    assert {column for column, _, _ in wishes(session)} == {"region"}
    assert "open again" in reply


@pytest.mark.parametrize(
    "text",
    [
        "the bath is nice but not necessary",
        "a bath isn't a must",
        "a bath is not essential",
        "I don't need a bath",
        "also those without a bath",
    ],
)
def test_what_need_not_be_is_no_wish(text: str):
    assert all(column != "features" for column, _, _ in wishes(talk("in the Dales", text)))


@pytest.mark.parametrize("text", ["no wifi please", "I don't want wifi", "without wifi"])
def test_what_is_not_wanted_stays_so(text: str):
    session = talk("a cottage at the Coast", "under 700")
    session.respond(text)
    assert ("wifi", "==", False) in wishes(session)


def test_what_is_kept_is_no_complaint():
    session = talk("a cottage in the Dales", "with a bath")
    held = wishes(session)
    session.respond("no, keep the bath")
    assert wishes(session) == held


def test_an_item_that_is_not_shown_is_asked_about_by_a_part_of_its_name():
    table = {
        "sitter": ["Ann Lee", "Ben Oko", "Cat Rao", "Dan Kim"],
        "town": ["Ashby", "Kirkham"] * 2,
    }
    sitters = Catalog.open(pa.table(table | {"car": [True, False] * 2, "fee": [10, 12, 14, 16]}))
    session = Session(sitters, weighter="lexical", max_questions=0)
    session.respond("a sitter in Ashby")
    assert "Ben Oko (Kirkham): no car" in session.respond("does Ben have a car?").text


def test_items_that_are_named_are_compared():
    reply = talk("a cottage in the Dales").respond("Apple Loft v Slate Nook?").text
    assert "Apple Loft" in reply
    assert "Slate Nook" in reply
    assert "640" in reply


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("I don't need a sauna", {"features", "wifi"}),
        ("no need for a sauna, it has to be in the Dales", {"features", "wifi", "region"}),
        ("wifi isn't needed either", {"features", "wifi"}),
        ("we don't need wifi or a sauna", {"features", "wifi"}),
        ("I don't mind wifi", {"features"}),
        ("wifi doesn't matter", {"features"}),
        ("the sauna doesn't matter any more", {"wifi"}),
    ],
)
def test_what_is_unwanted_and_not_needed_stays_unwanted(text: str, columns: set[str]):
    session = talk("a cottage with no sauna", "no wifi please", text)
    assert {column for column, _, _ in wishes(session)} == columns


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("don't mind about the sauna", {"garden"}),
        ("the sauna doesn't matter", {"garden"}),
        ("it must have a garden, a sauna I don't need", {"garden"}),
        ("a garden is a must and the sauna doesn't matter", {"garden"}),
        ("the garden and the sauna don't matter", set()),
        ("I don't mind where, as long as it has a sauna", {"garden", "sauna"}),
        ("I don't mind which region has a sauna", {"garden", "sauna"}),
        ("the price doesn't matter", {"garden", "sauna"}),
    ],
)
def test_of_several_parts_of_a_list_only_what_is_waived_goes(text: str, left: set[str]):
    session = talk("a cottage with a garden and a sauna", text)
    assert {value for column, _, value in wishes(session) if column == "features"} == left


def test_of_either_part_the_waived_goes_and_the_question_stays_open():
    session = Session(COTTAGES, weighter="lexical", max_questions=2)
    session.respond("a cottage with a sauna or a garden")
    reply = session.respond("don't mind about the garden")
    assert wishes(session) == {("features", "contains", "sauna")}
    assert "stays open" not in reply.text


CLASSES = Catalog.open(
    pa.table(
        {
            "class": [f"{day} {craft}" for craft in ("Pottery", "Lino", "Felting", "Dyeing")
                      for day in ("Weekend", "Evening", "Summer")],
            "starts": ["09:30", "18:30", "13:00"] * 4,
            "on": [f"2027-06-{day:02}" for day in range(1, 13)],
            "fee": list(range(20, 32)),
        }
    ),
    key="class",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "word", "wished"),
    [
        ("weekends don't work", "weekend", set()),
        ("saturdays", "saturdays", set()),
        ("I can't do evenings", "", {("starts", "<", "18:00")}),
    ],
)
def test_days_that_are_not_understood_are_said_to_be_and_wished_for_in_no_name(
    text: str, word: str, wished: set[tuple[str, str, object]]
):
    session = Session(CLASSES, weighter="lexical", max_questions=0)
    reply = session.respond(text).text
    assert wishes(session) == wished
    assert word in reply
    assert ("Not understood" in reply) == bool(word)


@pytest.mark.parametrize(
    ("text", "banned"),
    [
        ("no wifi is fine", False),
        ("no wifi is not a problem", False),
        ("no wifi please", True),
        ("no wifi, is that ok?", True),
    ],
)
def test_what_may_as_well_be_lacking_is_not_banned(text: str, banned: bool):
    session = talk("a cottage in the Dales", text)
    assert (("wifi", "==", False) in wishes(session)) is banned


def test_what_may_as_well_be_lacking_is_wished_no_more():
    session = talk("a cottage in the Dales with wifi", "no wifi is ok")
    assert {column for column, _, _ in wishes(session)} == {"region"}


WATCHES = Catalog.open(
    pa.table(
        {
            "watch": [f"{make} {n}" for make in ("Orio", "Lumo") for n in range(1, 7)],
            "make": ["Orio"] * 6 + ["Lumo"] * 6,
            "condition": ["fair", "good", "worn", "good", "fair", "mint"] * 2,
            "price_eur": [90, 120, 60, 150, 110, 300, 95, 130, 70, 160, 105, 310],
        }
    ),
    key="watch",
)


def watches(*said: str) -> Session:
    session = Session(WATCHES, weighter="lexical", max_questions=0)
    for text in said:
        session.respond(text)
    return session


@pytest.mark.parametrize(
    "text",
    [
        "hmm 90 for an old one that's in only fair condition??",
        "fair isn't good enough, what else is there up to 160?",
    ],
)
def test_a_value_that_the_offered_item_has_is_refused_by_who_complains_of_it(text: str):
    session = watches("a watch between 90 and 115")
    session.respond(text)
    assert ("condition", "!=", "fair") in wishes(session)
    assert not any("good" in str(value) for _, _, value in wishes(session))


def test_what_names_an_item_that_is_too_dear_is_no_wish():
    session = watches("a watch in good condition")
    session.respond("that Orio is over my budget, at most 140 please")
    assert {column for column, _, _ in wishes(session)} == {"condition", "price_eur"}


VANS = Catalog.open(
    pa.table(
        {
            "van": [f"{make} {n}" for n in range(4) for make in "Seat Opel Iveco Fiat".split()],
            "make": ["Seat", "Opel", "Iveco", "Fiat"] * 4,
            "seats": [7, 5, 3, 7, 9, 7, 5, 3, 2, 9, 7, 5, 7, 3, 9, 2],
            "parking_aid": ["full", "rear", "none", "rear"] * 4,
            "town": (["Ashby"] * 3 + ["Kirkham"] * 3 + ["Millbrook"] * 2) * 2,
            "delivery_days": [2, 4, 5, 9, 6, 3, 8, 5, 4, 7, 2, 6, 3, 5, 4, 8],
            "noise_db": [*range(60, 76)],
            "free_from": [date(2027, at % 4 + 3, 11 + at // 4) for at in range(16)],
            "tow_bar": [True, False, True, True] * 4,
            "carries": [["dogs"], ["dogs", "bikes"], ["bikes"], ["boats", "dogs"]] * 4,
        }
    ),
    key="van",
)  # fmt: skip


def vans(*said: str) -> Session:
    session = Session(VANS, weighter="lexical", max_questions=0)
    for text in said:
        session.respond(text)
    return session


@pytest.mark.parametrize(
    ("said", "held"),
    [
        (("a Seat or an Opel", "not the make Seat, 7 seats"), {("make", "==", "Opel")}),
        (("a Seat or an Opel", "no Seat!!"), {("make", "==", "Opel")}),
        (("a van in Ashby", "forget Seat, show me Opel or Fiat. in Ashby"),
         {("make", "in", ("Opel", "Fiat")), ("town", "==", "Ashby")}),
        (("a Seat with full parking aid", "remove parking aid. just Seat, 5+ seats"),
         {("make", "==", "Seat")}),
        (("an Opel with a tow bar", "I never said I need a tow bar"), {("make", "==", "Opel")}),
        (("an Opel", "stop asking for a tow bar"), {("make", "==", "Opel")}),
        (("an Opel", "in Ashby, and I never said with a tow bar"),
         {("make", "==", "Opel"), ("town", "==", "Ashby")}),
        (("an Opel with a tow bar", "I want the tow bar gone"), {("make", "==", "Opel")}),
        (("an Opel", "please stop looking in Ashby"),
         {("make", "==", "Opel"), ("town", "!=", "Ashby")}),
        (("an Opel in Ashby", "I never said it was too far from Ashby"),
         {("make", "==", "Opel"), ("town", "==", "Ashby")}),
        (("an Opel with noise up to 70 db", "the noise isn't that important"),
         {("make", "==", "Opel")}),
        (("a Seat in Ashby", "not bad, but with a tow bar"),
         {("make", "==", "Seat"), ("town", "==", "Ashby"), ("tow_bar", "==", True)}),
    ],
)  # fmt: skip
def test_what_is_denied_by_its_name_leaves_what_is_wished(
    said: tuple[str, str], held: set[tuple[str, str, object]]
):
    kept = {wish for wish in wishes(vans(*said)) if wish[0] != "seats"}
    assert kept == held


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        (("free from 12 April 2027 or later", "it must be free from 2 April 2027 or earlier"),
         ("free_from", "<=", "2027-04-02")),
        (("free before 12 April 2027", "make it free after 1 May 2027"),
         ("free_from", ">", "2027-05-01")),
        (("free from 12 April 2027 or later", "and free before 20 May 2027"),
         ("free_from", ">=", "2027-04-12")),
    ],
)  # fmt: skip
def test_the_last_of_two_bounds_with_no_day_between_holds(
    said: tuple[str, str], wish: tuple[str, str, object]
):
    held = wishes(vans(*said))
    assert wish in held
    assert len(held) == (2 if said[1].startswith("and") else 1)


@pytest.mark.parametrize(("text", "limit"), [("4 is ok for me", 4), ("9 is ok for me", 3)])
def test_a_number_of_the_offered_item_that_is_fine_moves_the_limit(text: str, limit: int):
    session = vans("an Opel in Ashby, delivery in at most 3 days")
    assert session.offered is not None
    assert session.offered.row["delivery_days"] == 4
    session.respond(f"{text}. does it have a tow bar?")
    held = {value for column, _, value in wishes(session) if column == "delivery_days"}
    assert held == {limit}


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        (
            "nice but no garden, with the kids we really need one",
            ("features", "contains", "garden"),
        ),
        ("no garden, we do need one without", ("features", "!=", "garden")),
        ("a sauna would be nice for the wifi but not essential", ("wifi", "==", True)),
    ],
)
def test_the_clause_beside_says_what_is_needed(text: str, wish: tuple[str, str, object]):
    assert wish in wishes(talk("a cottage with wifi", text))


@pytest.mark.parametrize(
    "text",
    [
        "the dogs hate boats, so no boats. i still have dogs and bikes",
        "the dogs hate boats. they need a tow bar",
    ],
)
def test_what_was_wished_and_hates_something_is_not_denied(text: str):
    held = wishes(vans("a van that carries dogs and bikes", text))
    assert held >= {("carries", "contains", "dogs"), ("carries", "contains", "bikes")}
