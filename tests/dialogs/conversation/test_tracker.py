"""What is wished after each turn: said, corrected, accepted, kept."""

import pytest

from concede.bench.understanding.dialogues import open_catalog, read_services
from concede.dialogs.conversation.tracker import Tracker
from conversation_folder import write_folder


@pytest.fixture(scope="module")
def tracker(tmp_path_factory):
    folder = write_folder(tmp_path_factory.mktemp("tables"))
    with open_catalog(folder, "Tables_1") as catalog:
        return Tracker.of(catalog, read_services(folder)["Tables_1"].columns())


def after(tracker, *turns):
    """Return the state after turns of the person and of the assistant in turn."""
    talk, state = tracker.again(), {}
    for number, text in enumerate(turns):
        if number % 2:
            talk.assistant(text)
        else:
            state = talk.user(text)
    return state


def test_what_the_person_says_is_held(tracker):
    assert after(tracker, "I want to eat in San Jose.") == {"city": "San Jose"}


def test_nothing_is_held_of_a_greeting(tracker):
    assert after(tracker, "Hello, can you help me?") == {}


def test_an_offer_that_is_accepted_is_held(tracker):
    state = after(
        tracker, "Somewhere in Oakland.", "There is Golden Wok in Oakland.", "Sounds good."
    )
    assert state == {"city": "Oakland", "restaurant_name": "Golden Wok"}


def test_an_offer_that_is_passed_over_is_not(tracker):
    state = after(
        tracker, "Somewhere in Oakland.", "There is Golden Wok in Oakland.", "Anything else?"
    )
    assert state == {"city": "Oakland"}


def test_the_last_of_two_offers_is_the_one_accepted(tracker):
    state = after(
        tracker,
        "Somewhere in Oakland.",
        "How about Golden Wok in Oakland?",
        "Do you have another one?",
        "How about Blue Door Kitchen in Oakland?",
        "Great, that works for me.",
    )
    assert state["restaurant_name"] == "Blue Door Kitchen"


def test_an_offer_is_still_open_after_a_question(tracker):
    state = after(
        tracker,
        "Somewhere in Oakland.",
        "How about Golden Wok in Oakland?",
        "What is their phone number?",
        "It is 510-555-0101.",
        "That sounds great.",
    )
    assert state["restaurant_name"] == "Golden Wok"


def test_what_is_confirmed_is_held_with_its_defaults(tracker):
    state = after(
        tracker,
        "A table at Golden Wok in Oakland on March 3rd.",
        "Please confirm: a table for 2 at Golden Wok in Oakland on March 3rd.",
        "Yes, that is right.",
    )
    assert state["party_size"] == "2"
    assert state["date"] == "March 3rd"


def test_a_correction_takes_the_place_of_what_was_confirmed(tracker):
    state = after(
        tracker,
        "A table at Golden Wok in Oakland on March 3rd.",
        "Please confirm: a table for 2 at Golden Wok in Oakland on March 3rd.",
        "No, make it for 4 people on March 5th.",
    )
    assert state["party_size"] == "4"
    assert state["date"] == "March 5th"
    assert state["restaurant_name"] == "Golden Wok"


def test_nothing_is_forgotten_at_the_end(tracker):
    turns = ("A table in Oakland.", "Sure. Anything else?", "No, thanks. Goodbye!")
    assert after(tracker, *turns) == {"city": "Oakland"}


def test_a_value_no_catalog_holds_is_taken_as_said(tracker):
    turns = ("I want to book a table.", "Which city should I look in?", "In Walnut Creek please.")
    assert after(tracker, *turns) == {"city": "Walnut Creek"}


def test_columns_that_are_only_told_are_never_wished(tracker):
    turns = ("A table in Oakland.", "Call 510-555-0101.", "Okay, 510-555-0101, thank you.")
    assert "phone" not in after(tracker, *turns)


def test_one_conversation_leaves_no_trace_in_the_next(tracker):
    after(tracker, "Somewhere in Oakland.")
    assert tracker.again().state == {}


@pytest.mark.parametrize(
    "text", ["", "?", "\x00\x1b[31m", "名前は何ですか", "a" * 100_000, "😀" * 300]
)
def test_odd_turns_change_nothing(tracker, text):
    assert after(tracker, "Somewhere in Oakland.", "Okay.", text) == {"city": "Oakland"}
