"""A turn is cut into sentences, and each does what it does whatever the others do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog
from concede.dialogs import Session
from concede.dialogs.conversation.parts import compares, cut

pa = pytest.importorskip("pyarrow")

TENTS = Catalog.open(
    pa.table(
        {
            "tent": ["Lynx", "Orca", "Ibis", "Puma", "Wren", "Kite", "Dove", "Moth"],
            "shape": ["dome", "tunnel"] * 4,
            "berths": [2, 4, 3, 6, 2, 4, 2, 6],
            "price_eur": [120, 480, 210, 650, 90, 390, 150, 720],
            "weight_kg": [2.1, 7.5, 3.2, 9.8, 1.6, 6.4, 2.4, 11.0],
            "footprint": [True, False, False, True, True, False, False, True],
            "colour": ["green", "sand", "sand", "green", "red", "red", "sand", "green"],
        }
    ),
    key="tent",
)


def talk(*said: str) -> Session:
    session = Session(TENTS, weighter="lexical")
    for text in said:
        session.respond(text)
    return session


def wishes(session: Session) -> set[tuple[str | None, str, object]]:
    return {(wish.column, wish.op, wish.value) for wish in session.preferences.known}


def first(session: Session, name: str = "tent") -> str:
    assert session.offered is not None
    return str(session.offered.row[name])


@given(st.text(alphabet="ab1 .,!?;\nwhich it is", max_size=80))
def test_all_of_a_text_is_in_one_of_its_sentences(text: str):
    places = cut(text)
    assert [start for start, _ in places] == [0, *(end for _, end in places[:-1])]
    assert places[-1][1] == len(text)
    assert all(text[start:end].strip() for start, end in places if len(places) > 1)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Any colour. Which is the cheapest?", ["Any colour. ", "Which is the cheapest?"]),
        ("at most 2.5 kg", ["at most 2.5 kg"]),
        ("under 200, which ones are there", ["under 200, ", "which ones are there"]),
        ("red, green or sand", ["red, green or sand"]),
        ("the dome one, is it green?", ["the dome one, ", "is it green?"]),
    ],
)
def test_where_a_text_is_cut(text: str, sentences: list[str]):
    assert [text[start:end] for start, end in cut(text)] == sentences


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("what's the difference between them?", True),
        ("how do they differ", True),
        ("it makes no difference to me", False),
        ("I care less about colour compared to price", False),
    ],
)
def test_what_compares(text: str, is_so: bool):
    assert compares(text) is is_so


@pytest.mark.parametrize(
    "text",
    ["which is the cheapest?", "any colour. what is the cheapest one?", "the cheapest one please"],
)
def test_the_cheapest_is_shown_where_it_is_asked_for(text: str):
    session = talk("a dome tent")
    answer = session.respond(text)
    assert answer.proposes
    assert answer.question is None
    assert first(session) == "Wren"
    assert "lowest" in answer.text


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("does it have a footprint?", "no footprint"),
        ("is it sand?", "yes, colour sand"),
        ("nice. is it red?", "no, not red; colour sand"),
    ],
)
def test_a_question_about_the_offered_item_is_answered_and_no_wish(text: str, reply: str):
    session = talk("a dome tent", "at least 3 berths")
    assert first(session) == "Ibis"
    held = wishes(session)
    assert session.respond(text).text.startswith(f"Ibis (dome): {reply}")
    assert wishes(session) == held


def test_an_item_that_is_shown_is_asked_about_by_what_it_has_and_then_taken():
    session = talk("a tunnel tent with 4 berths", "show me what there is")
    assert first(session) == "Kite"
    held = wishes(session)
    assert "Orca" in (told := session.respond("the sand one, what does it weigh?").text)
    assert "weight 7.5 kg" in told
    assert wishes(session) == held
    session.respond("yes, I take it")
    assert session.accepted is not None
    assert session.accepted["tent"] == "Orca"


def test_an_item_is_taken_by_what_it_has():
    session = talk("a tunnel tent with 4 berths", "show me what there is")
    session.respond("I'll take the sand one")
    assert session.accepted is not None
    assert session.accepted["tent"] == "Orca"


def test_how_many_have_something_is_counted():
    session = talk("a tent")
    assert session.respond("how many come with a footprint?").text.startswith("4 with footprint")
    assert wishes(session) == set()


def test_what_was_refused_for_a_reason_is_not_offered_again():
    session = talk("a dome tent, as cheap as possible")
    assert first(session) == "Wren"
    session.respond("that one is too small. it has to be a dome, mind you")
    assert first(session) != "Wren"
    session.respond("undo")
    assert first(session) == "Wren"


def test_only_what_is_named_of_a_list_is_forgotten():
    table = pa.table(
        {"hall": ["A", "B", "C", "D"], "has": [["bar", "stage"], ["bar"], ["stage"], ["piano"]]}
    )
    session = Session(Catalog.open(table, key="hall"), weighter="lexical")
    session.respond("with a bar and a stage")
    assert {wish.value for wish in session.preferences.known} == {"bar", "stage"}
    session.respond("forget the stage")
    assert {wish.value for wish in session.preferences.known} == {"bar"}


def test_a_refused_value_does_not_replace_another_that_is_wished():
    session = talk("a dome tent", "and no tunnel, please")
    assert wishes(session) == {("shape", "==", "dome")}
    session.respond("anything but dome")
    assert wishes(session) == {("shape", "!=", "dome")}


def test_beginning_anew_goes_on_with_what_is_said_with_it():
    session = talk("a dome tent", "at most 200 euros", "start over. a tunnel tent")
    assert wishes(session) == {("shape", "==", "tunnel")}


RAFTS = Catalog.open(
    pa.table(
        {
            "raft": "Otter Pike|Otter Loon|Heron Drift|Heron Pike|Kupa Trout|Vodnik Eel".split("|"),
            "maker": ["Otter", "Otter", "Heron", "Heron", "Kupa", "Vodnik"],
            "water": ["lake", "sea", "river", "lake", "sea", "canal"],
            "price_gbp": [400, 520, 610, 450, 380, 700],
            "weight_kg": [3.0, 4.5, 6.0, 3.5, 9.0, 8.0],
            "pets_ok": [True, False, True, True, False, True],
        }
    ),
    key="raft",
)  # fmt: skip


def rafts(*said: str) -> Session:
    session = Session(RAFTS, weighter="lexical")
    for text in said:
        session.respond(text)
    return session


@pytest.mark.parametrize(
    "text",
    [
        "any water is fine",
        "the water doesn't matter any more",
        "never mind the water",
        "the water is not so important",
    ],
)
def test_a_column_that_is_named_as_of_no_matter_is_open_again(text: str):
    session = rafts("a raft for a lake", "under 500")
    session.respond(text)
    assert {wish.column for wish in session.preferences.known} == {"price_gbp"}


@pytest.mark.parametrize(
    "text", ["I'll have the Loon", "we take the Loon then", "the Loon, I take it"]
)
def test_an_item_is_taken_by_a_part_of_its_name(text: str):
    session = rafts("a raft made by Otter", "show me what there is")
    assert first(session, "raft") == "Otter Pike"
    session.respond(text)
    assert session.accepted is not None
    assert session.accepted["raft"] == "Otter Loon"


def test_what_none_of_the_items_is_called_is_not_taken():
    session = rafts("a raft made by Otter", "show me what there is")
    assert session.respond("lovely, I'll take the Drift").text.startswith("Is that a yes?")
    assert session.accepted is None


@pytest.mark.parametrize(
    ("text", "op", "value"), [("610 is too much", "<", 610), ("at most 610", "<=", 610)]
)
def test_a_bound_that_is_too_much_is_none(text: str, op: str, value: int):
    session = rafts("a raft for pets, please", "show me what there is")
    session.respond(f"{text}, the price I mean" if op == "<=" else f"the price of {text}")
    assert ("price_gbp", op, value) in wishes(session)


def test_all_choices_are_named_where_there_is_one_more():
    session = Session(RAFTS, weighter="lexical", slots=["maker"])
    answer = session.respond("a raft under 900")
    assert answer.question is not None
    assert "others" not in answer.question.text
    session = Session(RAFTS, weighter="lexical", slots=["raft"])
    answer = session.respond("a raft under 900")
    assert answer.question is None or "one of 2 others" in answer.question.text


def test_how_many_of_something_the_offered_item_has_is_no_count():
    session = rafts("a raft for a lake", "at most 420")
    assert first(session, "raft") == "Otter Pike"
    assert "weight 3 kg" in session.respond("how many kilos does it weigh?").text


def test_only_the_two_that_are_named_are_compared():
    session = rafts("a raft under 900", "show me what there is")
    told = session.respond("what's the difference between the first and the third?").text
    assert told.count(": ") == 2
    assert "3. " not in told


INNS = Catalog.open(
    pa.table(
        {
            "inn": ["Crane Hall", "Swan Arms", "Elm Court", "Fox Mill", "Ivy Gate", "Oak End"],
            "code": ["R210", "R305", "R417", "R533", "R608", "R742"],
            "shire": ["Devon", "Devon", "Kent", "Devon", "Kent", "Devon"],
            "price_eur": [70, 85, 95, 110, 60, 130],
            "sauna": [True, False, True, False, True, True],
            "check_in": ["14:00", "15:00", "14:00", "16:00", "14:00", "15:00"],
            "opens": ["08:00", "09:00", "08:30", "07:00", "08:00", "09:30"],
            "closes": ["22:00", "21:00", "20:30", "23:00", "22:00", "21:30"],
            "bar_hours": ["17:00-23:00", "18:00-22:00", "16:00-21:00"] * 2,
        }
    ),
    key="inn",
)


def inns(*said: str, shown: bool = True) -> Session:
    session = Session(INNS, weighter="lexical", slots=[])
    for text in ("an inn in Devon", *(["show me all of them"] if shown else []), *said):
        session.respond(text)
    return session


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("how late is it open?", "closes 22:00."),
        ("until when are you open?", "closes 22:00."),
        ("how early do they open", "opens 08:00."),
        ("when is it open?", "opens 08:00, closes 22:00."),
        ("what time can we check in?", "check in 14:00."),
    ],
)
def test_an_end_of_some_time_is_told_from_its_column(text: str, told: str):
    assert inns().respond(text).text.endswith(f"Crane Hall (R210): {told}")


def test_both_ends_are_told_where_a_column_holds_both():
    hours = Catalog.open(
        pa.table({"shop": ["Ox", "Fir"], "bar_hours": ["17:00-23:00", "9:00-21:00"]})
    )
    session = Session(hours, weighter="lexical", slots=[])
    session.respond("show me the Fir shop")
    assert "9:00-21:00" in session.respond("how late does it serve?").text


@pytest.mark.parametrize(
    ("text", "inn"),
    [
        ("no sauna then, pity. whatever, swan arms it is, book it", "Swan Arms"),
        ("ok the 305 one then", "Swan Arms"),
        ("I'll take the 110 one", "Fox Mill"),
        ("I'll have the Swan", "Swan Arms"),
        ("not cheap but hmm, let's do number 3 all the same", "Fox Mill"),
        ("the second it is. when is check-in?", "Swan Arms"),
        ("Fox Mill will do nicely, go with that", "Fox Mill"),
        ("not number 2 please", None),
        ("ok the 999 one then", None),
        ("what about the Swan", None),
        ("the second has no sauna, pity", None),
        ("go for something cheaper then", None),
        ("Kent it is then", None),
        ("if the Swan has a sauna we'd book it", None),
        ("let's say 100 at most", None),
    ],
)
def test_what_is_taken_among_other_words(text: str, inn: str | None):
    session = inns(text)
    assert (session.accepted or {"inn": None})["inn"] == inn


@pytest.mark.parametrize(
    "text",
    ["go for something cheaper then", "any cheaper? it must be in Devon", "cheaper, under 75"],
)
def test_nothing_is_passed_over_where_nothing_was_refused(text: str):
    assert "passed over" not in inns().respond(text).text


def test_who_refuses_an_item_for_too_much_is_not_bounded_by_the_next():
    said = inns().respond("Crane Hall is too dear, something with a sauna").text
    assert "None that fits has price under 70 EUR." in said
    assert "Oak End" in said


def test_what_is_asked_about_is_not_passed_over_any_more():
    session = inns("not the Crane Hall", "does Crane Hall have a sauna?")
    assert session.passed == frozenset()
    assert inns("not the Crane Hall").passed


@pytest.mark.parametrize(
    "text",
    ["at least 80 euros. how many are there?", "80 euros or more. what have you understood?"],
)
def test_a_change_is_said_once(text: str):
    assert inns(shown=False).respond(text).text.count("price at least 80 EUR.") == 1


def test_what_is_said_again_of_a_taken_item_is_answered_by_what_is_taken():
    session = Session(INNS, weighter="lexical")
    session.respond("an inn in Devon under 100")
    assert session.respond("yes, that one").text.startswith("Taken: Crane Hall")
    again = session.respond("YES. DEVON.").text
    assert again.startswith("Taken: Crane Hall")
    assert session.accepted is not None
