"""Which entry a question in anybody's words is about."""

import pytest

from concede.dialogs.elicitation.asked_entry import entry_asked
from concede.dialogs.elicitation.schema import Entry, Schema, travel_schema
from others_questions import QUESTIONS


def pairs() -> list[tuple[str, str]]:
    """Return each question with the entry it is about."""
    found: list[tuple[str, str]] = []
    entry = ""
    for line in QUESTIONS.strip().splitlines():
        if line.startswith("  "):
            found.append((entry, line.strip()))
        else:
            entry = line
    return found


def test_nearly_all_questions_of_others_are_told_apart():
    schema = travel_schema()
    found = [(entry, entry_asked(schema, question), question) for entry, question in pairs()]
    wrong = [one for one in found if one[0] != (one[1].name if one[1] else "-")]
    assert len(wrong) <= 0.02 * len(pairs()), wrong


@pytest.mark.parametrize("entry", travel_schema().askable, ids=lambda entry: entry.name)
def test_our_own_questions_are_about_their_entries(entry: Entry):
    found = entry_asked(travel_schema(), entry.question)
    assert found is not None
    assert found.name == entry.name


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Tell me your budget.", True),
        ("Your budget is noted.", False),
        ("Thanks, your budget is noted. Anything else?", False),
    ],
)
def test_a_request_asks_and_a_remark_does_not(text: str, asks: bool):
    assert (entry_asked(travel_schema(), text) is not None) == asks


def test_a_schema_of_ones_own_is_told_by_its_labels_and_choices():
    schema = Schema(
        "boats",
        (
            Entry("hull", "hull material", ("wood", "steel")),
            Entry("berths", "number of berths", low=1, high=8),
        ),
    )
    assert entry_asked(schema, "Which material should the hull be of?") == schema.find("hull")
    assert entry_asked(schema, "How many berths do you need?") == schema.find("berths")
    assert entry_asked(schema, "Do you sail often?") is None
