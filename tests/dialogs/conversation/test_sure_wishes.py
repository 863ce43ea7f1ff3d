"""A wish that is found surely is one, whatever else the turn does; a bare no leaves it open."""

from __future__ import annotations

import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs import Session
from concede.dialogs.conversation.roles import Question

SCHOOLS = "School,Brand,Pickup,Floor,Opens,gbp_hr\n" + "".join(
    f"s{at},{('Nocturne', 'Opticron', 'Hawke')[at % 3]},{('yes', 'no')[at % 2]},"
    f"{('1st', '2nd', '3rd', 'ground')[at % 4]},{7 + at % 5:02}:30,{28 + at % 9}\n"
    for at in range(24)
)


@pytest.fixture(scope="module")
def schools(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    path = tmp_path_factory.mktemp("schools") / "schools.csv"
    path.write_text(SCHOOLS)
    return Catalog.open(path)


def wishes(session: Session) -> list[tuple[object, str, object]]:
    query = session.query
    return [(one.column, one.op, one.value) for one in (*query.base, *query.constraints)]


def asked(session: Session, slot: str) -> Question:
    while (question := session.next_question()) is not None:
        if question.slot == slot:
            return question
        session.hear("no preference")
    raise AssertionError(f"{slot} is never asked about")


@pytest.mark.parametrize(
    "text", ["I'd like an Opticron, thank you.", "An Opticron, please and thank you."]
)
def test_a_wish_beside_thanks_is_one(text: str, schools: Catalog):
    session = Session(schools)
    assert "inform" in session.hear(text).acts
    assert wishes(session) == [("Brand", "==", "Opticron")]


@pytest.mark.parametrize(
    "text",
    ["What have you got by Opticron?", "I was a welder for forty years. Opticron, thank you."],
)
def test_first_words_look_for_what_they_name(text: str, schools: Catalog):
    session = Session(schools)
    session.hear(text)
    assert wishes(session) == [("Brand", "==", "Opticron")]
    assert session.ended is None


def test_a_sure_answer_is_no_question_that_is_less_likely_than_not(schools: Catalog):
    session = Session(schools, max_questions=9)
    asked(session, "Brand")
    heard = session.hear("Opticron. We're celebrating, so it does need to be that.")
    assert wishes(session) == [("Brand", "==", "Opticron")]
    assert "ask" not in heard.acts


def test_a_question_that_names_a_value_is_none(schools: Catalog):
    session = Session(schools)
    session.hear("How many Opticrons do you have?")
    assert wishes(session) == []


@pytest.mark.parametrize(
    "text",
    [
        "I'll take the Nocturne one, thanks, goodbye.",
        "I'll take the Hawke, thanks. Bye!",
        "Great, I'll take the Nocturne one, thanks, goodbye.",
    ],
)
def test_who_takes_what_is_offered_wishes_nothing_more(text: str, schools: Catalog):
    session = Session(schools)
    session.hear("Something with pickup")
    session.propose()
    before = wishes(session)
    session.hear(text)
    assert wishes(session) == before


def test_a_yes_with_a_reason_is_taken(schools: Catalog):
    session = Session(schools, max_questions=9)
    asked(session, "Pickup")
    session.hear("Yes, collect me. I've a bad back and the walk finishes me off.")
    assert wishes(session) == [("Pickup", "==", True)]


@pytest.mark.parametrize(
    ("text", "wished"),
    [
        ("No, without. The last one came late every time and I missed my exam.", True),
        *(("no", False), ("No thanks.", False), ("No, thanks a lot!", False)),
        *(("no, next question please", False), ("No, but it would be nice", False)),
        *(("No, ask me something else", False), ("no no, thanks", False)),
    ],
)
def test_who_says_more_than_no_wants_none(text: str, wished: bool, schools: Catalog):
    session = Session(schools, max_questions=9)
    asked(session, "Pickup")
    session.hear(text)
    assert wishes(session) == ([("Pickup", "==", False)] if wished else [])


def test_ordinals_hours_and_rates_are_read(schools: Catalog):
    session = Session(schools, max_questions=9)
    session.hear("Second or third floor.")
    assert wishes(session) == [("Floor", "in", ("2nd", "3rd"))]
    session = Session(schools, max_questions=9)
    asked(session, "gbp_hr")
    session.hear("£30 an hour tops, I've counted it through 3 times.")
    assert wishes(session) == [("gbp_hr", "<=", 30)]
