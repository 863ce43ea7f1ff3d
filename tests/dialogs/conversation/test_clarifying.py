"""A conversation asks what is unclear before any slot, and takes the answer for what it says."""

import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.conversation.session import Session

MAKERS = ("Arden", "Borel", "Casimir", "Dunmore")


@pytest.fixture(scope="module")
def boats(tmp_path_factory):
    path = tmp_path_factory.mktemp("boats") / "boats.csv"
    lines = [
        f"{MAKERS[at % 4]},{4_000 + (at * 977) % 90_000},{5 + at % 13},{1 + at % 8}"
        for at in range(240)
    ]
    path.write_text("\n".join(["maker,price,length_m,berths", *lines]), encoding="utf-8")
    return Catalog.open(path)


def wishes(session):
    return {(wish.column, wish.op, wish.value) for wish in session.preferences.known}


def begun(boats, text, **given):
    session = Session(boats, clarifying=3, **given)
    return session, session.respond(text)


def test_what_is_unclear_is_asked_before_any_slot(boats):
    session, response = begun(boats, "an Arden or maybe a Borel")
    assert response.question.slot == "maker"
    assert [choice.text for choice in response.question.choices] == [
        "either: Arden or Borel", "maker Arden", "maker Borel",
    ]  # fmt: skip
    assert response.question.choices[0].count == 120
    after = session.respond("the second")
    assert wishes(session) == {("maker", "==", "Arden")}
    assert after.question is None or after.question.slot != "maker"


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("both", ("Arden", "Borel")),
        ("either one", ("Arden", "Borel")),
        ("Borel", "Borel"),
        ("only the Arden", "Arden"),
        ("the first", ("Arden", "Borel")),
    ],
)
def test_an_answer_picks_an_alternative(boats, answer, value):
    session, _ = begun(boats, "an Arden or maybe a Borel")
    session.respond(answer)
    assert {wish[2] for wish in wishes(session)} == {value}


@pytest.mark.parametrize(("answer", "column"), [("the berths", "berths"), ("length", "length_m")])
def test_a_column_named_is_what_a_number_is_about(boats, answer, column):
    session, response = begun(boats, "6")
    assert "“6”" in response.question.text
    session.respond(answer)
    assert [wish.column for wish in session.preferences.known] == [column]


def test_a_number_said_takes_the_place_of_a_guess(boats):
    session, response = begun(boats, "a cheap Casimir")
    assert response.question.slot == "price"
    session.respond("at most 30000")
    assert wishes(session) == {("maker", "==", "Casimir"), ("price", "<=", 30_000)}


def test_what_does_not_matter_is_forgotten(boats):
    session, _ = begun(boats, "a cheap Casimir")
    assert len(session.preferences.known) == 2
    session.respond("it doesn't matter")
    assert wishes(session) == {("maker", "==", "Casimir")}


def test_who_answers_something_else_keeps_the_guess(boats):
    session, _ = begun(boats, "a cheap Casimir")
    before = wishes(session)
    session.respond("4 berths at least")
    assert before < wishes(session)


def test_a_clear_request_is_not_questioned(boats):
    _, response = begun(boats, "an Arden with at least 4 berths", slots=())
    assert response.question is None


def test_no_more_is_asked_than_may_be(boats):
    session, _ = begun(boats, "a cheap long Arden or maybe a Borel", max_questions=1, slots=())
    session.respond("both")
    assert session.question is None


def test_what_stays_unused_is_said_once(boats):
    session, response = begun(boats, "an Arden with a fishfinder", slots=())
    assert response.proposes
    assert "I did not use: “fishfinder”" in response.text
    assert "fishfinder" not in session.respond("4 berths").text


def test_nobody_is_asked_where_nobody_is_to_be(boats):
    session = Session(boats, slots=())
    assert session.respond("an Arden or maybe a Borel").question is None


def test_the_words_of_an_option_are_no_place(tmp_path):
    path = tmp_path / "seats.csv"
    rows = [f"{('first class', 'second class')[at % 2]},{at}" for at in range(20)]
    path.write_text("\n".join(["seat,fare", *rows]), encoding="utf-8")
    session = Session(Catalog.open(path), clarifying=3, slots=())
    session.respond("second class or maybe first class")
    session.respond("first class")
    assert wishes(session) == {("seat", "==", "first class")}


def test_words_that_link_to_nothing_stay_unused(boats):
    session, _ = begun(boats, "an Arden with a fishfinder and at least 4 berths")
    assert session.unused() == "I did not use: “fishfinder”."
    assert session.unused() == ""
