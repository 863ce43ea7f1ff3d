"""A turn that says something else than what was asked is heard for what it says."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.catalogs.versions.reader import CatalogReader
from concede.dialogs import Session
from concede.dialogs.extraction.extracted import Said
from concede.dialogs.extraction.offline import OfflineExtractor

pa = pytest.importorskip("pyarrow")

BOATS = Catalog.open(
    pa.table(
        {
            "harbour": ["Vigo", "Vigo", "Cadiz", "Cadiz", "Porto", "Porto"] * 4,
            "berths": [2, 4, 6, 8] * 6,
            "weekly_price_eur": [900 + 70 * n for n in range(24)],
            "autopilot": [n % 3 == 0 for n in range(24)],
            "bow_thruster": [n % 2 == 0 for n in range(24)],
            "equipment": [
                ["dinghy", "fridge"],
                ["fridge", "solar panel"],
                ["dinghy", "solar panel"],
            ]
            * 8,
        }
    )
)


def asked(slot: str, *said: str) -> Session:
    talk = Session(BOATS, weighter="lexical", slots=[slot])
    for text in said:
        talk.hear(text)
    assert talk.next_question() is not None
    return talk


def wishes(talk: Session) -> set[tuple[str | None, str, object]]:
    return {(wish.column, wish.op, wish.value) for wish in talk.preferences.known}


VIGO = ("harbour", "==", "Vigo")


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("at least six berths", ("berths", ">=", 6)),
        ("with a bow thruster", ("bow_thruster", "==", True)),
        ("under 1500 euros a week", ("weekly_price_eur", "<", 1500)),
        ("with a solar panel", ("equipment", "contains", "solar panel")),
    ],
)
def test_another_wish_is_no_yes(text: str, wish: tuple[str, str, object]):
    talk = asked("autopilot", "a boat in Vigo")
    talk.hear(text)
    assert wishes(talk) == {VIGO, wish}


@pytest.mark.parametrize("text", ["yes please", "yes, I sail alone", "an autopilot, yes"])
def test_a_yes_is_a_yes(text: str):
    talk = asked("autopilot", "a boat in Vigo")
    talk.hear(text)
    assert wishes(talk) == {VIGO, ("autopilot", "==", True)}


@pytest.mark.parametrize("text", ["I'd prefer Cadiz", "make it Cadiz", "no, Cadiz"])
def test_what_is_looked_for_changes_while_a_question_is_open(text: str):
    talk = asked("weekly_price_eur", "a boat in Vigo")
    assert "Cadiz now, no longer Vigo" in talk.hear(text).reply
    assert wishes(talk) == {("harbour", "==", "Cadiz")}
    again = talk.next_question()
    assert again is not None
    assert again.slot == "weekly_price_eur"


@pytest.mark.parametrize("text", ["or Cadiz", "Cadiz too", "Cadiz would also do"])
def test_another_value_may_be_as_good(text: str):
    talk = asked("weekly_price_eur", "a boat in Vigo")
    assert talk.hear(text).reply.startswith("Harbour: Vigo or Cadiz now. ")
    assert wishes(talk) == {("harbour", "in", ("Vigo", "Cadiz"))}


def test_part_of_a_list_is_wished_and_another_is_not():
    talk = asked("autopilot", "a boat in Vigo")
    talk.hear("with a fridge but no dinghy")
    assert wishes(talk) >= {("equipment", "contains", "fridge"), ("equipment", "!=", "dinghy")}
    talk.hear("no fridge")
    assert ("equipment", "contains", "fridge") not in wishes(talk)


def test_what_was_taken_after_something_gave_way_is_not_offered_again():
    talk = Session(BOATS, weighter="lexical")
    talk.hear("a boat in Vigo")
    offered = talk.respond("at least 8 berths and at most 950 a week", propose=True)
    assert "given up" in offered.text or "instead of" in offered.text
    taken = talk.respond("yes, that would do", propose=True)
    assert talk.accepted is not None
    assert taken.text.startswith("Taken: ")
    assert "Would that do" not in taken.text
    assert (taken.proposes, taken.question) == (False, None)


BOAT_NAMES = ["Alba", "Brisa", "Cala", "Duna", "Espuma", "Faro", "Gaviota", "Horizonte"]
NAMED = Catalog.open(
    pa.table(
        {
            "name": BOAT_NAMES,
            "harbour": ["Vigo", "Cadiz"] * 4,
            "boat_age_years": [12, 3, 7, 5, 9, 1, 4, 6],
            "weekly_price_eur": [700, 1500, 800, 1250, 900, 2100, 1400, 1100],
            "noise_db": [70, 61, 68, 60, 66, 58, 63, 65],
            "fridge": [True, True, False, True, False, True, True, False],
        }
    ),
    key="name",
)


def named(*said: str) -> Session:
    talk = Session(NAMED, weighter="lexical")
    for text in said:
        talk.hear(text)
    return talk


def test_why_another_item_is_not_offered():
    talk = named("a boat in Vigo", "at most 1000 a week", "show me what there is")
    reply = talk.hear("why not Gaviota?").reply
    assert reply.startswith(
        "Gaviota (Vigo) misses weekly price at most 1,000 EUR (it is 1,400 EUR)"
    )


def test_what_is_less_than_what_is_offered_can_be_taken():
    talk = named("a boat in Vigo", "noise at most 64", "show me what there is")
    assert talk.proposal is not None
    assert talk.proposal.answer.items[0].row["name"] == "Gaviota"
    reply = talk.hear("cheaper please").reply
    assert reply.startswith("Nothing with weekly price under 1,400 EUR fits the rest. If ")
    offered = talk.proposal.answer.items[0].row
    assert offered["weekly_price_eur"] < 1400
    talk.hear("yes please, I take it")
    assert talk.accepted is not None
    assert talk.accepted["name"] == offered["name"]


def test_which_of_those_that_fit_have_more():
    talk = named("a boat in Vigo")
    reply = talk.hear("which ones have a fridge?").reply
    assert "Alba" in reply
    assert "Gaviota" in reply
    assert "Espuma" not in reply
    assert wishes(talk) == {VIGO}


@pytest.mark.parametrize("text", ["start over", "forget everything", "let's begin from scratch"])
def test_all_is_forgotten_and_can_be_taken_back(text: str):
    talk = named("a boat in Vigo", "at most 1000 a week")
    held = wishes(talk)
    assert talk.hear(text).reply == "All of it is forgotten. What are you looking for?"
    assert wishes(talk) == set()
    talk.hear("undo")
    assert wishes(talk) == held


@pytest.mark.parametrize("text", ["forget Vigo", "it doesn't need to be in Vigo"])
def test_a_wish_is_taken_back_in_plain_words_and_not_asked_for_again(text: str):
    talk = Session(NAMED, weighter="lexical", slots=["harbour", "weekly_price_eur"])
    talk.hear("a boat in Vigo")
    talk.next_question()
    talk.hear(text)
    assert wishes(talk) == set()
    asked_for = [question.slot for question in iter(talk.next_question, None)]
    assert "harbour" not in asked_for


@pytest.mark.parametrize("text", ["no", "nope", "without", "no thanks"])
def test_a_no_to_a_feature_leaves_it_open(text: str):
    talk = asked("autopilot", "a boat in Vigo")
    assert talk.hear(text).reply == "Fine, autopilot stays open."
    assert wishes(talk) == {VIGO}


def test_another_one_is_none_of_those_that_a_question_named():
    talk = asked("harbour", "at least four berths")
    talk.hear("another one please")
    assert wishes(talk) == {("berths", ">=", 4)}


def test_what_is_asked_along_with_a_yes_does_not_keep_an_offer_open():
    talk = named("a boat in Vigo", "show me what there is")
    assert talk.hear("yes that one").reply.startswith("Taken: Alba (Vigo)")


def test_why_an_item_is_not_offered_before_anything_is():
    talk = Session(NAMED, weighter="lexical", slots=["weekly_price_eur"])
    talk.hear("a boat in Vigo with a fridge")
    talk.next_question()
    assert talk.hear("why not Espuma?").reply.startswith("Espuma (Vigo) misses fridge")


def test_the_only_one_that_fits_is_offered_and_can_be_taken():
    talk = named()
    offered = talk.respond("a boat in Vigo with a fridge, at most 1000 a week")
    assert offered.proposes
    assert offered.text.endswith("Shall it be that one?")
    assert talk.respond("ok that one").text.startswith("Taken: Alba (Vigo)")


def test_whoever_takes_one_before_any_was_offered_is_offered_the_first():
    talk = named()
    talk.respond("a boat in Vigo")
    answer = talk.respond("great, I'll take it")
    assert answer.proposes
    assert talk.accepted is None
    assert "Shall it be that one?" in answer.text


def test_something_else_that_does_not_matter_leaves_the_question_open():
    talk = Session(NAMED, weighter="lexical", slots=["weekly_price_eur", "noise_db", "fridge"])
    talk.respond("a boat in Vigo")
    answer = talk.respond("I don't care about the noise")
    assert answer.text.startswith("Fine, noise stays open.")
    assert answer.question is not None
    assert answer.question.slot == "weekly_price_eur"


def test_a_limit_said_in_a_question_is_not_asked_for_again():
    talk = Session(NAMED, weighter="lexical", slots=["weekly_price_eur", "fridge"])
    talk.respond("a boat in Vigo")
    answer = talk.respond("what can I get for at most 1400 a week?")
    assert ("weekly_price_eur", "<=", 1400) in wishes(talk)
    assert answer.question is None or answer.question.slot != "weekly_price_eur"


def test_another_extractor_reads_a_turn_once():
    readings: list[str | None] = []

    class Counting:
        def extract(self, said: Said, catalog: CatalogReader, *, slot: str | None = None):
            readings.append(slot)
            return OfflineExtractor().extract(said, catalog, slot=slot)

    talk = Session(BOATS, weighter="lexical", slots=["autopilot"], extractor=Counting())
    talk.hear("a boat in Vigo")
    talk.next_question()
    talk.hear("at least six berths")
    assert readings == [None, "autopilot"]


@pytest.mark.parametrize(
    "text", ["no, forget the price", "no, the price doesn't matter", "no, drop the price"]
)
def test_a_no_that_takes_a_wish_back_is_no_answer_to_what_was_offered(text: str):
    talk = named("a boat in Vigo")
    assert talk.respond("at most 100 a week", propose=True).proposes
    assert "stay" not in talk.hear(text).reply
    assert wishes(talk) == {VIGO}


def test_the_most_of_something_is_the_most_there_is():
    talk = named("a boat in Vigo", "show me what there is")
    reply = talk.hear("which one has the lowest noise?").reply
    assert reply.startswith("The lowest noise: Gaviota (Vigo), noise 63 db")
    assert talk.proposal is not None
    listed = [item.row["noise_db"] for item in talk.proposal.answer.items]
    assert listed == sorted(listed)


def test_the_cheapest_is_the_cheapest_that_fits():
    talk = named("the cheapest boat in Vigo")
    proposal = talk.propose()
    prices = [item.row["weekly_price_eur"] for item in proposal.answer.items]
    assert prices == [700, 800, 900, 1400]


@pytest.mark.parametrize("text", ["or rather Cadiz", "Cadiz instead", "or Cadiz instead"])
def test_what_is_preferred_takes_the_place(text: str):
    talk = asked("weekly_price_eur", "a boat in Vigo")
    talk.hear(text)
    assert wishes(talk) == {("harbour", "==", "Cadiz")}


@pytest.mark.parametrize("text", ["see you later", "no cheaper", "not cheaper"])
def test_a_few_words_that_compare_may_wish_nothing(text: str):
    talk = named("a boat in Vigo")
    talk.hear(text)
    assert talk.preferences.objectives == []


def test_beginning_anew_forgets_what_was_taken_and_refused():
    talk = named("a boat in Vigo", "show me what there is", "I'll take it")
    assert talk.accepted is not None
    talk.hear("start over")
    assert (talk.accepted, talk.ended, talk.preferences.refused) == (None, None, set())


def test_taking_back_a_refusal_takes_all_of_it_back():
    talk = named("a boat in Vigo", "at most 100 a week")
    talk.propose()
    talk.refuse()
    assert talk.preferences.refused == {"weekly_price_eur"}
    talk.undo()
    assert talk.preferences.refused == set()


def test_what_was_asked_stays_open_beside_new_wishes():
    talk = Session(NAMED, weighter="lexical", slots=["harbour"])
    asked = talk.respond("a boat with a fridge").question
    assert asked is not None
    assert asked.slot == "harbour"
    reply = talk.respond("I don't know any of those harbours. It may cost 1500 euros at most")
    assert reply.text.startswith("Fine, harbour stays open.")
    assert ("weekly_price_eur", "<=", 1500) in wishes(talk)


def test_beginning_anew_keeps_what_is_taken():
    talk = named("a boat in Vigo", "at most 1000 a week", "I'll take the Alba")
    assert [row["name"] for row in talk.taken_rows] == ["Alba"]
    assert talk.hear("start over").reply.startswith("All of it is forgotten. Taken: Alba (Vigo)")
    assert wishes(talk) == set()
    assert [row["name"] for row in talk.taken_rows] == ["Alba"]
