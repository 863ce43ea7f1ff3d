"""What strangers say to an offer or against it: asking of it, taking it, taking a wish back."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.dialogs import Session

pa = pytest.importorskip("pyarrow")

COURSES = Catalog.open(
    pa.table(
        {
            "course": [f"{name} {n}" for n in (1, 2) for name in ("Clay", "Loom", "Kiln", "Print")],
            "town": "Ashby Kirkham Ashby Millbrook Kirkham Ashby Ashby Kirkham".split(),
            "teaching_day": ["Monday", "Tuesday", "Tuesday", "Friday"] * 2,
            "fee_eur": [40, 55, 80, 35, 60, 45, 90, 70],
            "hours": [2, 3, 6, 2, 3, 2, 6, 4],
            "places": [6, 12, 8, 10, 4, 12, 8, 6],
            "parking": [True, False, False, True, True, False, True, False],
            "extras": [
                ["apron", "tea"], ["tea"], ["apron"], ["tea", "lunch"],
                ["lunch"], ["apron", "lunch"], ["tea"], ["apron", "tea"],
            ],
        }
    ),
    key="course",
)  # fmt: skip


def talk(*said: str) -> Session:
    session = Session(COURSES, weighter="lexical", max_questions=0)
    for text in said:
        session.respond(text)
    return session


def wishes(session: Session) -> set[tuple[str | None, str, object]]:
    return {(wish.column, wish.op, wish.value) for wish in session.preferences.known}


def first(session: Session) -> str:
    assert session.offered is not None
    return str(session.offered.row["course"])


@pytest.mark.parametrize("text", ["parking?", "would parking be possible?", "is there parking?"])
def test_what_is_asked_beside_an_offer_is_no_wish(text: str):
    session = talk("a course in Kirkham", "under 60")
    held = wishes(session)
    assert first(session) == "Loom 1"
    assert session.respond(text).text.startswith("Loom 1 (Kirkham): no parking")
    assert wishes(session) == held


@pytest.mark.parametrize("text", ["do you have one with parking?", "is there one with parking?"])
def test_who_asks_for_another_one_with_something_wishes_for_it(text: str):
    session = talk("a course in Kirkham", "under 80")
    session.respond(text)
    assert first(session) == "Clay 2"


def test_who_asks_what_there_is_elsewhere_looks_there():
    session = talk("a course in Kirkham", "under 80")
    session.respond("and in Ashby?")
    assert ("town", "==", "Ashby") in wishes(session)


def test_what_is_taken_is_told_of_as_well():
    session = talk("a course in Kirkham", "under 60")
    answer = session.respond("Yes, that one. How long is it?").text
    assert session.accepted is not None
    assert answer.startswith("Taken: Loom 1")
    assert "hours 3" in answer


@pytest.mark.parametrize(
    ("text", "course"),
    [
        ("we'll take Loom 2 then please", "Loom 2"),
        ("yes take Kiln 2", "Kiln 2"),
        ("6 hours is too long for me. I'll go with the Loom", "Loom 2"),
    ],
)
def test_an_item_is_taken_by_its_name(text: str, course: str):
    session = talk("a course in Ashby", "show me what there is")
    session.respond(text)
    assert session.accepted is not None
    assert session.accepted["course"] == course


def test_an_item_that_is_not_shown_is_taken_by_its_name():
    session = talk("a course in Ashby", "show me what there is")
    session.respond("hm, I'll take Clay 2 after all")
    assert session.accepted is not None
    assert session.accepted["course"] == "Clay 2"


def test_one_of_several_values_is_left_out():
    session = talk("a course in Ashby or Kirkham")
    session.respond("remove Ashby")
    assert wishes(session) == {("town", "==", "Kirkham")}


@pytest.mark.parametrize(
    "text", ["I could do any day", "Any day of the week is fine", "other days are fine"]
)
def test_a_column_is_opened_by_a_word_of_its_name(text: str):
    session = talk("a course in Ashby", "on a Tuesday please")
    session.respond(text)
    assert wishes(session) == {("town", "==", "Ashby")}


def test_what_was_never_asked_for_is_forgotten():
    session = talk("a course in Ashby", "with an apron")
    session.respond("I never asked for an apron")
    assert wishes(session) == {("town", "==", "Ashby")}


def test_what_is_kept_stays():
    session = talk("a course in Ashby", "with lunch", "under 40")
    held = wishes(session)
    session.respond("no, keep the lunch")
    assert wishes(session) == held
    assert [wish.column for wish in session.preferences.soft if wish.hard] == ["extras"]


def test_another_value_that_would_do_is_as_good():
    session = talk("a course in Ashby", "on a Tuesday")
    session.respond("Friday would do")
    assert ("teaching_day", "in", ("Tuesday", "Friday")) in wishes(session)


def test_what_is_told_of_the_offered_item_is_no_wish():
    session = talk("a course with an apron", "show me what there is")
    held = wishes(session)
    assert first(session).startswith("Clay")
    session.respond("That is in Ashby, a little far.")
    assert wishes(session) == held


@pytest.mark.parametrize(
    ("text", "op"), [("6 hours is too long", "<"), ("2 hours is a bit too short", ">")]
)
def test_what_is_too_much_bounds_from_above(text: str, op: str):
    session = talk("a course in Ashby")
    session.respond(text)
    assert {o for column, o, _ in wishes(session) if column == "hours"} == {op}


def test_what_is_looked_for_gives_way_where_there_is_none_of_it():
    session = talk("a course in Kirkham on a Tuesday with parking", "in Millbrook instead")
    assert session.preferences.base == []
    assert session.offered is not None


def test_who_asks_what_is_not_answered_by_yes():
    session = talk("a course in Kirkham", "under 60")
    assert session.respond("what day is it, Tuesday?").text.startswith("Loom 1")


def test_a_question_of_a_measure_is_answered_from_the_column_about_it():
    session = talk("a course in Kirkham", "under 60")
    assert "fee 55 EUR" in session.respond("how expensive?").text


@pytest.mark.parametrize("text", ["Kiln 1. how long?", "Kiln 1 please", "what about Kiln 1?"])
def test_an_item_that_is_named_beside_others_is_no_wish(text: str):
    session = talk("a course in Ashby", "show me what there is")
    held = wishes(session)
    session.respond(text)
    assert wishes(session) == held
    assert first(session) == "Kiln 1"


def test_an_item_that_is_refused_by_name_is_not_offered_again():
    session = talk("a course in Ashby", "show me what there is", "not Clay 1, at most 60 euros")
    assert ("course", "!=", "Clay 1") not in wishes(session)
    assert first(session) != "Clay 1"


def test_a_number_of_the_offered_item_is_no_limit():
    session = talk("a course in Kirkham", "under 60")
    held = wishes(session)
    session.respond("55 euros, hmm")
    assert wishes(session) == held
    session.respond("at most 55 euros")
    assert ("fee_eur", "<=", 55) in wishes(session)


@pytest.mark.parametrize(
    ("text", "course"),
    [
        ("I'll take this one", "Clay 1"),
        ("No, never mind, I'll have this one", "Clay 1"),
        ("ok I take the cheaper one", "Clay 1"),
    ],
)
def test_what_is_offered_is_taken_and_the_cheaper_one(text: str, course: str):
    session = talk("a course in Ashby", "show me what there is")
    session.respond(text)
    assert session.accepted is not None
    assert session.accepted["course"] == course


def test_a_word_of_several_names_is_wished_for():
    themes = ("Pirate", "Circus", "Unicorn", "Dino", "Space", "Jungle", "Royal", "Mega")
    things = ("Castle", "Machine", "Marquee", "Game", "Fountain", "Lights", "Booth")
    names = [f"{theme} {thing}" for theme in themes for thing in things]
    table = {"item": names, "kind": [name.split()[1].lower() for name in names]}
    session = Session(Catalog.open(pa.table(table | {"price": [*range(56)]})), weighter="lexical")
    answer = session.respond("No I mean unicorn things, something with unicorn in the name.")
    assert ("item", "ilike", "%unicorn%") in wishes(session)
    assert "item with “unicorn”. 7 fit" in answer.text


def test_what_kinds_there_are_is_told_where_names_are_asked_for():
    session = Session(COURSES, weighter="lexical", slots=["town"])
    answer = session.respond("what courses do you have?").text
    assert "Ashby (4)" in answer or "8 in all" in answer


def test_a_vague_limit_that_leaves_hardly_anything_is_an_aim():
    prices = [10, *range(500, 560)]
    table = {"name": [f"Thing {n}" for n in range(61)], "shape": ["round"] * 61, "price": prices}
    session = Session(Catalog.open(pa.table(table | {"size": [*range(61)]})), weighter="lexical")
    session.respond("a round one, size at least 55, cheap")
    assert [goal.column for goal in session.preferences.objectives] == ["price"]


def test_a_value_is_dropped_by_its_name():
    session = talk("a course in Ashby", "with an apron", "never mind the apron, at most 50 euros")
    assert wishes(session) == {("town", "==", "Ashby"), ("fee_eur", "<=", 50)}


def test_too_dear_is_dearer_than_what_was_offered():
    session = talk("a course in Ashby on a Tuesday", "show me the dearest")
    assert session.offered is not None
    dear = session.offered.row["fee_eur"]
    session.respond("too dear. the day doesn't matter")
    assert ("fee_eur", "<", dear) in wishes(session)


def test_several_that_are_meant_take_nothing():
    session = talk("a course in Ashby", "show me what there is")
    session.respond("yes, the cheap ones")
    assert session.accepted is None


def test_what_is_asked_before_something_is_taken_is_not_answered_of_another_item():
    session = talk("a course in Ashby", "show me what there is")
    answer = session.respond("Is Kiln 1 any good? no, book Clay 1 please").text
    assert session.accepted is not None
    assert session.accepted["course"] == "Clay 1"
    assert "Kiln" not in answer
    assert session.respond("yes please, book it").text.startswith("Taken: Clay 1")


@pytest.mark.parametrize(
    "text", ["we'll have lunch before", "I have an apron", "I'd have lunch there"]
)
def test_who_has_something_takes_nothing(text: str):
    session = talk("a course in Ashby", "show me what there is")
    session.respond(text)
    assert session.accepted is None


def test_thanks_beside_a_question_are_no_goodbye():
    session = talk("a course in Ashby", "show me what there is")
    session.respond("thank you. how long is it?")
    assert session.ended is None


@pytest.mark.parametrize(
    "text",
    [
        "I don't think I'll take it",
        "not sure I'd go with this one, hmm",
        "before I book it, tell me about parking",
        "I would have cheaper courses",
        "we'd take Clay 1 or Kiln 1",
    ],
)
def test_what_only_sounds_like_taking_takes_nothing(text: str):
    session = talk("a course in Ashby", "show me what there is")
    session.respond(text)
    assert session.accepted is None


def test_what_is_passed_over_by_name_gives_way_to_the_next():
    session = talk("a course in Ashby", "show me what there is", "not Clay 1")
    assert session.offered is not None
    assert first(session) != "Clay 1"
    session.respond("no, not Print 1")
    assert first(session) not in ("Clay 1", "Print 1")


def test_what_must_be_is_a_wish_though_the_offered_item_has_it():
    session = talk("a course in Ashby", "show me what there is")
    session.respond("it has to have an apron")
    assert any(column == "extras" for column, _, _ in wishes(session))


def test_what_is_not_to_be_forgotten_stays():
    session = talk("a course in Ashby", "with an apron")
    held = wishes(session)
    session.respond("don't forget the apron")
    assert wishes(session) == held


def test_taking_is_one_step_to_undo():
    session = talk("a course in Ashby", "show me what there is")
    offered = first(session)
    session.respond("I'll take Clay 2")
    session.respond("undo")
    assert session.accepted is None
    assert first(session) == offered


def test_a_yes_beside_what_was_too_much_is_a_yes():
    session = talk("a course in Ashby", "show me what there is")
    session.respond("I was afraid it would be too expensive. Yes please, that one!")
    assert session.accepted is not None


def test_headers_of_other_alphabets_are_read():
    table = {"Название": ["Дом", "Двор"] * 6, "Цена": [*range(12)], "%": [*range(12)]}
    session = Session(Catalog.open(pa.table(table)), weighter="lexical")
    assert session.respond("2 people and 3 kids").text


def test_how_many_somebody_wants_to_see_is_no_wish():
    session = Session(COURSES, weighter="lexical", slots=["hours"])
    session.respond("a course in Ashby")
    session.respond("just show me the three")
    assert wishes(session) == {("town", "==", "Ashby")}


def test_the_ones_of_a_number_are_wished_for():
    session = talk("show me the 6 hour courses in Ashby")
    assert ("hours", "==", 6) in wishes(session)


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        (("fee at most 60", "80 is ok"), ("fee_eur", "<=", 80)),
        (("fee at most 60", "55 would be fine"), ("fee_eur", "<=", 60)),
        (("fee under 60", "I could do 70"), ("fee_eur", "<=", 70)),
        (("at least 10 places", "8 is fine as well"), ("places", ">=", 8)),
        (("in Ashby", "Kirkham is fine too"), ("town", "in", ("Ashby", "Kirkham"))),
        (("fee at most 60", "up to 50 is ok"), ("fee_eur", "<=", 50)),
        (("fee at most 60", "is 80 ok?"), ("fee_eur", "<=", 60)),
    ],
)
def test_a_number_that_will_do_moves_the_bound_and_is_none(said: tuple[str, str], wish: object):
    assert wishes(talk(*said)) == {wish}


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        (("at least 8 places", "I mean 10"), ("places", ">=", 10)),
        (("fee at most 60", "no wait, 55"), ("fee_eur", "<=", 55)),
        (("fee at least 60", "60 is my upper limit, not the minimum"), ("fee_eur", "<=", 60)),
        (("at least 8 places", "I mean exactly 10 places"), ("places", "==", 10)),
        (("fee at most 60", "I mean at least 55"), ("fee_eur", ">=", 55)),
    ],
)
def test_what_corrects_a_bound_keeps_its_side_unless_it_says_another(
    said: tuple[str, str], wish: tuple[str, str, object]
):
    assert wish in wishes(talk(*said))


CLUBS = Catalog.open(
    pa.table(
        {
            "club": [f"Club {n}" for n in range(10)],
            "shuts": ["22:00", "23:00", "23:30", "00:30", "02:00"] * 2,
            "entry_eur": [*range(5, 15)],
        }
    )
)


@pytest.mark.parametrize(
    "said",
    [
        ("shuts at 23:00 or later", "I mean 11 pm, 23:00"),
        ("a club that shuts at exactly 23:00", "no, shuts at 23:00 or later"),
    ],
)
def test_times_from_one_on_stay_so_and_take_the_place_of_one(said: tuple[str, str]):
    session = Session(CLUBS, weighter="lexical", max_questions=0)
    for text in said:
        session.respond(text)
    assert wishes(session) == {("shuts", "in", ("23:00", "23:30", "00:30", "02:00"))}
