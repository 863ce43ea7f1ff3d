"""Which clause is about which constraint, and what it says of how much that matters."""

from __future__ import annotations

import pytest

from concede.catalogs.query.constraint import Constraint
from concede.dialogs.transcripts.transcript import Message, Transcript
from concede.dialogs.weighters.attribution import Reading, read_transcript
from concede.dialogs.weighters.cues import cues, ratings, words_of
from concede.dialogs.weighters.naming import namings

BOAT = (
    Constraint(column="hull", op="==", value="Arvor 215"),
    Constraint(column="price", op="<=", value=24_500),
    Constraint(column="built_year", op=">=", value=2013),
    Constraint(column="berths", op=">=", value=2),
)
HULL, PRICE, YEAR, BERTHS = range(4)


def reading(*said: str, role: str = "user") -> Reading:
    """The reading of texts said in turn, questions marked by a leading `A:`."""
    messages = [
        {"role": "assistant", "content": part[2:]} if part.startswith("A:") else
        {"role": role, "content": part}
        for part in said
    ]  # fmt: skip
    return read_transcript(Transcript.of(messages), BOAT)


def about(found: Reading, number: int) -> str:
    return " / ".join(evidence.clause.text for evidence in found.evidence[number])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("an arvor 215 please", {HULL}),
        ("up to $24,500", {PRICE}),
        ("24.5k is all I have", {PRICE}),
        ("2013 or newer", {YEAR}),
        ("what it may cost", {PRICE}),
        ("two berths", {BERTHS}),
        ("2 of us", {BERTHS}),
        ("nothing of that", set()),
        ("a free one", {PRICE}),
        ("something hassle-free", set()),
    ],
)
def test_values_and_words_for_columns_name_constraints(text: str, named: set[int]):
    assert {naming.constraint for naming in namings(text, BOAT)} == named


def test_a_pronoun_continues_with_what_was_named_last():
    read = reading("The price is my limit. I can't bend on it. Built in 2013? There I could.")
    assert about(read, PRICE) == "The price is my limit. / I can't bend on it."
    assert about(read, YEAR) == "Built in 2013? / There I could."


def test_several_wishes_of_a_sentence_keep_their_own_cues():
    read = reading("I must have the Arvor 215, 2 berths would be nice and price is irrelevant.")
    assert [cue.phrase for cue, _ in read.cues(HULL)] == ["must have"]
    assert [cue.phrase for cue, _ in read.cues(PRICE)] == ["irrelevant"]


def test_what_stands_before_a_with_leads_in():
    found = reading("Of 2013 or newer, ideally with two berths")
    assert about(found, YEAR) == "Of 2013 or newer"
    assert about(found, BERTHS) == "ideally with two berths"


def test_what_is_said_behind_an_item_of_a_list_is_not_said_of_the_next():
    found = reading("Two berths essential, of 2013 or newer, at most 24,500")
    assert about(found, YEAR) == "of 2013 or newer"
    assert about(found, PRICE) == "at most 24,500"


def test_a_list_shares_what_is_said_before_or_behind_it():
    before = reading("My must-haves are 2 berths, the Arvor 215 and a price below 24,500.")
    behind = reading("2 berths, the Arvor 215 and the price are all essential.")
    for number in (HULL, PRICE, BERTHS):
        assert "must haves" in [cue.phrase for cue, _ in before.cues(number)]
        assert "essential" in [cue.phrase for cue, _ in behind.cues(number)]


def test_an_answer_is_about_what_the_question_named():
    read = reading("A boat.", "A:What price do you have in mind?", "Not a cent over 24. Firm.")
    assert about(read, PRICE) == "Not a cent over 24. / Firm."
    assert read.evidence[YEAR] == []


def test_a_question_about_importance_gives_short_replies_a_sense():
    firm = reading("A:How important is the price?", "Very.").cues(PRICE)
    loose = reading("A:How flexible are you on the price?", "Very.").cues(PRICE)
    assert firm[0][0].strength > 0.5
    assert loose[0][0].strength < -0.5


def test_the_rest_is_what_nothing_else_is_said_about():
    read = reading("The Arvor 215 is essential. Price 24,500, year 2013. The rest is negotiable.")
    assert [evidence.how for evidence in read.evidence[PRICE]][-1] == "rest"
    assert "rest" not in [evidence.how for evidence in read.evidence[HULL]]


@pytest.mark.parametrize(
    "text",
    [
        "The price is flexible if everything else fits.",
        "The price is flexible as long as the rest is right.",
    ],
)
def test_what_depends_on_the_rest_is_not_said_of_it(text: str):
    read = reading("Year 2013. " + text)
    assert [evidence.how for evidence in read.evidence[YEAR]] == ["own"]


@pytest.mark.parametrize(
    ("text", "above", "below"),
    [
        ("The price matters more than the year.", PRICE, YEAR),
        ("I'd rather lose the berths than the Arvor 215.", HULL, BERTHS),
        ("I'm more flexible on the year than on the price.", PRICE, YEAR),
        ("The hull beats the price.", HULL, PRICE),
        ("The year is less important than the berths.", BERTHS, YEAR),
        ("I would sacrifice the berths before the year.", YEAR, BERTHS),
        ("I'd give way on the price to get the Arvor 215.", HULL, PRICE),
        ("I'm not as strict about the year as about the price.", PRICE, YEAR),
    ],
)
def test_comparisons_say_which_is_above_which(text: str, above: int, below: int):
    read = reading(text)
    assert [(comparison.above, comparison.below) for comparison in read.compared] == [
        ((above,), (below,))
    ]


@pytest.mark.parametrize(
    "text",
    [
        "No more than 24,500 for a hull of 2013.",
        "A price of less than 24,500, built 2013.",
        "The price matters more than anything.",
    ],
)
def test_bounds_and_superlatives_compare_nothing(text: str):
    assert reading(text).compared == []


def test_nobody_but_the_user_gives_evidence():
    read = reading("A:The price must be 24,500, no exceptions.")
    assert read.evidence == [[], [], [], []]


def strengths(text: str) -> list[float]:
    return [round(cue.strength, 2) for cue in cues(words_of(text))]


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("not essential", "essential"),
        ("flexible", "not flexible"),
        ("very flexible", "a bit flexible"),
        ("important", "very important"),
        ("can compromise", "not willing to compromise"),
        ("nice to have", "must have"),
        ("not a deal breaker", "a deal breaker"),
    ],
)
def test_negations_hedges_and_boosters_grade_cues(low: str, high: str):
    assert strengths(low)[0] < strengths(high)[0]


def test_a_negation_ends_at_a_comma():
    assert strengths("if not, it is essential") == strengths("well, it is essential")


@pytest.mark.parametrize(
    ("text", "bends", "firm"),
    [
        ("I like the Arvor 215 but could compromise there if it is under $24,500.", HULL, PRICE),
        ("2 berths, and I am flexible on that as long as the price is 24500.", BERTHS, PRICE),
    ],
)
def test_the_condition_of_a_concession_is_not_what_is_conceded(text, bends, firm):
    read = reading(text)
    assert min(cue.strength for cue, _ in read.cues(bends)) < -0.15
    assert all(cue.strength >= -0.15 for cue, _ in read.cues(firm))


def test_a_refusal_is_about_what_its_condition_names():
    assert "walk away" in about(reading("I walk away if I can't have 2 berths."), BERTHS)


def answered(slot: str, text: str) -> Reading:
    """The reading of an answer to a question that is known to be about a column."""
    exchange = (Message("assistant", "What shall it be?", slot), Message("user", text))
    return read_transcript(Transcript(exchange), BOAT)


def test_an_answer_speaks_of_the_column_that_was_asked_about():
    read = answered("price", "Not over that. My brother built one in the garage.")
    assert about(read, PRICE) == "Not over that. / My brother built one in the garage."
    assert read.evidence[YEAR] == []


def test_an_answer_about_a_column_that_nothing_is_wished_of_weighs_nothing():
    assert answered("year of the price list", "No preference.").evidence == [[], [], [], []]


def test_a_message_headed_by_a_column_is_an_answer_about_it():
    read = reading("The Arvor 215.", "built_year: newer is a bonus, really. I'd live without.")
    assert about(read, HULL) == "The Arvor 215."
    assert "live without" in about(read, YEAR)


def test_an_article_names_no_grade():
    grade = (Constraint(column="class", op="==", value="A"),)
    assert namings("a boat", grade) == ()
    assert len(namings("class A please", grade)) > 0


@pytest.mark.parametrize(
    ("text", "strength"),
    [("four out of ten", -0.2), ("7.5 out of 10", 0.5), ("a solid 6", 0.2), ("2/10", -0.6)],
)
def test_ratings_are_cues(text: str, strength: float):
    assert [cue.strength for cue in ratings(text)] == [pytest.approx(strength)]


def test_other_numbers_are_no_ratings():
    assert not list(ratings("a rating of 4.2, 12/2026, like a 5 seater, 4 out of 5 stars"))


@pytest.mark.parametrize("text", ["I wouldn't cry", "i wouldnt cry", "I would not cry"])
def test_contracted_words_are_one_with_those_in_full(text: str):
    assert [cue.phrase for cue in cues(words_of(text))] == ["would not cry"]


def test_what_goes_first_is_below_all_others():
    read = reading("Price 24,500. Built 2013? If something has to go, let it be that.")
    last = [comparison for comparison in read.ranked if comparison not in read.compared]
    assert [comparison.below for comparison in last] == [(YEAR,)]
    assert set(last[0].above) == {HULL, PRICE, BERTHS}
