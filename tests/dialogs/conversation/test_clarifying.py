"""A conversation asks what is unclear before any slot, and takes the answer for what it says."""

from dataclasses import replace

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.dialogs.clarification.questions import question
from concede.dialogs.conversation.clarifying import HALF_HEARD
from concede.dialogs.conversation.session import Session, interview
from concede.dialogs.extraction import wished
from concede.dialogs.extraction.offline import OfflineExtractor
from concede.dialogs.language.wording import Wording

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


def test_what_an_answer_says_besides_is_heard(boats):
    session, _ = begun(boats, "an Arden or maybe a Borel")
    session.respond("the Borel, and we are 6 people")
    assert wishes(session) == {("maker", "==", "Borel"), ("berths", ">=", 6)}


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
    assert response.text.count("“fishfinder”") == 1
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
    session = Session(boats, clarifying=3, slots=())
    session.hear("an Arden with a fishfinder and at least 4 berths")  # Nobody says the reply.
    assert session.unused() == "I did not use: “fishfinder”."
    assert session.unused() == ""


def test_what_answers_the_question_is_not_questioned(boats):
    session, response = begun(boats, "an Arden", slots=("length_m",))
    assert response.question.slot == "length_m"
    after = session.respond("under 9")
    assert after.question is None
    assert ("length_m", "<", 9) in wishes(session)


MAN = "an Arden man through and through"


def doubting(boats, near, **given):
    """Return a session that misses taking `MAN` for a wish by so much."""
    fitted = wished.fitted()
    sure = replace(fitted, threshold=1e6)
    odds = 1e6 + OfflineExtractor(None, sure).extract(MAN, boats).nearness
    extractor = OfflineExtractor(None, replace(fitted, threshold=odds + near))
    return Session(boats, extractor=extractor, **{"clarifying": 3, **given})


@pytest.mark.parametrize(("answer", "held"), [("yes", {("maker", "==", "Arden")}), ("no", set())])
def test_what_was_nearly_a_wish_is_asked_about(boats, answer, held):
    session = doubting(boats, 1.0)
    response = session.respond(MAN)
    assert wishes(session) == set()
    assert response.question.text == "By “Arden”, do you mean maker Arden?"
    session.respond(answer)
    assert wishes(session) == held


def test_what_was_far_from_a_wish_is_not(boats):
    response = doubting(boats, HALF_HEARD + 1.0).respond(MAN)
    assert response.question is None or response.question.slot != "maker"


def test_the_question_that_was_open_is_asked_again(boats):
    session = doubting(boats, 1.0)
    open_slot = session.respond("hello").question.slot
    session.respond(MAN)
    assert session.question.slot == "maker"
    assert session.respond("no").question.slot == open_slot


def test_nobody_is_asked_for_ever(boats):
    session = doubting(boats, 1.0)
    asked = [session.respond(MAN) for _ in range(5)]
    assert sum("do you mean" in response.text for response in asked) <= 3


def test_what_is_named_is_asked_about_where_somebody_is_to_be(boats):
    session = doubting(boats, 1.0, clarifying=0)
    response = session.respond(MAN)
    assert response.question is None or "do you mean" not in response.question.text
    assert wishes(session) == set()


class Mumbler:
    """Answers every question by the same words, which name a maker and wish for nothing."""

    def answer(self, question, transcript):
        return MAN


def test_who_never_says_anything_plain_is_not_asked_for_ever(boats):
    session = doubting(boats, 1.0)
    interview(session, Mumbler(), "hello")
    asked = [message.content for message in session.messages if message.role == "assistant"]
    assert sum("do you mean" in text for text in asked) <= 3
    assert len(asked) <= 2 * len(boats.columns) + 3


def test_what_changed_nothing_cannot_be_taken_back(boats):
    session = doubting(boats, 1.0)
    session.respond("at least 4 berths")
    session.respond(MAN)
    assert "maker Arden" in session.question.text
    session.respond("undo")
    assert wishes(session) == set()
    assert session.question is None or "do you mean" not in session.question.text


def test_what_waits_to_be_asked_is_not_forgotten_over_an_unclear_turn(boats):
    session, response = begun(boats, "a cheap long Arden or maybe a Borel", slots=())
    first = response.question.text
    again = session.respond("well well well").question
    assert again is not None
    assert again.text == first
    assert session.respond("both").question is not None


def test_words_asked_about_are_not_told_as_not_understood(boats):
    response = doubting(boats, 1.0).respond(MAN)
    assert "Not understood" not in response.text


@pytest.mark.parametrize("text", ["money no object", "whatever it costs", "I don't mind the price"])
def test_what_may_cost_anything_is_not_asked_for_its_price(boats, text):
    _, response = begun(boats, f"a boat with 4 berths, {text}")
    assert response.question is None or response.question.slot != "price"


def test_few_are_shown_and_not_asked_about(boats):
    _, response = begun(boats, "an Arden, price at most 7000")
    assert response.question is None
    assert response.proposes


def test_who_wants_to_see_a_list_is_shown_it(boats):
    session, _ = begun(boats, "an Arden with at least 4 berths")
    response = session.respond("just list them please, I don't care about the length")
    assert "What fits" in response.text
    assert response.proposes


def test_no_answer_is_offered_twice():
    options = [Constraint(column="maker", op="==", value=maker) for maker in MAKERS[:2]]
    either = Constraint(column="maker", op="in", value=tuple(MAKERS[:2]))
    boats = Catalog.open(pa.table({"maker": [*MAKERS], "price": [1, 2, 3, 4]}))
    asked = question("ambiguous", "boat", [*options, either], Wording(boats))
    assert asked == "By “boat”, what do you mean for maker: Arden, Borel or either of them?"


def test_what_is_refused_with_others_is_told_once():
    days = Catalog.open(pa.table({"days": ["Friday", "Monday; Friday"], "price": [1, 2]}))
    wish = Constraint(column="days", op="not in", value=("Friday", "Monday; Friday"))
    assert Wording(days).wish(wish) == "days not Friday"


WALKS = Catalog.open(
    pa.table(
        {
            "hut": [f"Hut {at}" for at in range(40)],
            "distance_to_lake_km": [0.2 + at * 0.7 for at in range(40)],
            "distance_to_inn_km": [0.1 + at % 13 for at in range(40)],
            "dogs_allowed": [at % 3 > 0 for at in range(40)],
        }
    )
)


@pytest.mark.parametrize(
    ("answer", "column"),
    [
        ("distance to the lake of course! and dogs allowed", "distance_to_lake_km"),
        ("not the inn. and dogs allowed", "distance_to_lake_km"),
        ("distance to the inn, and dogs allowed", "distance_to_inn_km"),
    ],
)
def test_an_answer_names_its_column_by_what_is_its_own_and_says_more(answer, column):
    session = Session(WALKS, clarifying=3)
    session.respond("a hut, a few km is fine")
    session.respond(answer)
    assert {name for name, _, _ in wishes(session)} == {column, "dogs_allowed"}
