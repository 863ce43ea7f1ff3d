"""Dialogue acts: what a turn does, in words no template has."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.conversation.acts import (
    BUCKETS,
    LABELS,
    MAX_WORDS,
    NOT_UNDERSTOOD,
    Act,
    ActModel,
    feature_buckets,
    masked,
    read_acts,
    words_of,
)

OFFER = "3 fit all of it; the first: Acer Swift, price 900. Shall it be that one?"
QUESTION = "Price goes from 300 to 2,100. What would you pay at most?"


@pytest.mark.parametrize(
    ("before", "text", "act"),
    [
        (OFFER, "yes please", "affirm"),
        (OFFER, "Sounds good to me", "affirm"),
        (OFFER, "I'll take it", "affirm"),
        (OFFER, "no", "negate"),
        (OFFER, "Nope.", "negate"),
        (OFFER, "I don't like that one", "negate"),
        (OFFER, "anything cheaper?", "ask_better"),
        (OFFER, "show me something newer", "ask_better"),
        (OFFER, "what else do you have?", "ask_more"),
        (OFFER, "why this one?", "ask"),
        (OFFER, "undo that", "undo"),
        (OFFER, "thank you very much", "thanks"),
        (OFFER, "bye", "end"),
        (QUESTION, "I don't know", "dont_know"),
        (QUESTION, "no idea", "dont_know"),
        (QUESTION, "I don't care", "dont_care"),
        (QUESTION, "doesn't matter", "dont_care"),
        (QUESTION, "why do you ask?", "ask"),
        (QUESTION, "at most 900", "inform"),
        ("", "hello", "greet"),
        ("", "how many are there?", "ask"),
        ("", "asdf jkl qwertz", NOT_UNDERSTOOD),
        (QUESTION, "", NOT_UNDERSTOOD),
    ],
)
def test_what_a_turn_does(before, text, act):
    assert act in read_acts(text, before).acts


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("how many of them are there?", "count"),
        ("why did you choose this one?", "why"),
        ("which colours are there?", "values"),
        ("what does hybrid mean?", "meaning"),
        ("what have you understood so far?", "state"),
        ("show me the list", "items"),
    ],
)
def test_what_a_question_is_about(text, topic):
    assert read_acts(text, OFFER).get("ask", topic) is not None


def test_a_turn_may_do_several_things():
    reading = read_acts("No, I would like the blue one instead.", OFFER, values=[(21, 25)])
    assert reading.get("inform") is not None
    assert reading.get("negate") is not None or reading.get("correct") is not None


@pytest.mark.parametrize("text", ["ich suche ein rotes Auto", "je cherche une voiture rouge"])
def test_what_seems_to_be_a_value_in_words_not_understood_is_no_wish(text):
    """Some reader may take `rouge` for the model Rogue."""
    start = len(text) - 5
    reading = read_acts(text, "", values=[(start, len(text))])
    assert reading.get("inform") is None


def test_masks_leave_the_rest():
    assert masked("a red car", [(2, 5)], [(6, 9)]).split() == ["a", "<v>", "<c>"]
    assert masked("a red car", [(2, 5), (2, 9)]).split() == ["a", "<v>"]
    assert words_of("At most £9,000 — don't ASK!") == ["at", "most", "<n>", "don't", "ask", "!"]


def test_of_endless_words_both_ends_are_read():
    words = words_of("first " + "blah " * 500_000 + "last")
    assert (words[0], words[-1]) == ("first", "last")
    assert len(words) <= 2 * MAX_WORDS


@given(st.text(max_size=200), st.text(max_size=60))
def test_any_text_has_acts(text, before):
    reading = read_acts(text, before)
    assert reading.acts
    assert {(str(act), act.topic) for act in reading.acts} <= {*LABELS, (NOT_UNDERSTOOD, "")}
    assert all(0.0 <= act.confidence <= 1.0 for act in reading.acts)
    assert len(feature_buckets(text, before)) > 0


def test_an_act_is_its_name():
    act = Act("ask", "why", 0.5)
    assert act == "ask"
    again = pickle.loads(pickle.dumps(act))
    assert (again, again.topic, again.confidence) == ("ask", "why", 0.5)


def test_the_fitted_model_is_small_and_whole():
    model = ActModel.fitted()
    assert model.weights.shape == (len(LABELS), BUCKETS)
    assert model.weights.dtype.itemsize == 1
    assert 0.0 < model.kept < 0.5
