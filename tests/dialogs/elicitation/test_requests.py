"""What a request states clearly is taken down; the rest is left for questions."""

import pytest

from concede.dialogs.elicitation.requests import stated_in
from concede.dialogs.elicitation.schema import Entry, Schema, travel_schema

WAY = "Day 1, we will travel from Park City to Long Beach, and on Day 5 back."

CASES = [
    ("I'm planning a trip with my child and pets.",
     {"persona.travel_with_child": "Yes", "persona.travel_with_pets": "Yes"}),
    ("We're looking for a mid-range cost travel experience.",
     {"persona.travel_style": "Mid range cost"}),
    ("Just the two of us, no kids, but our dog.",
     {"persona.travel_with_child": "No", "persona.travel_with_pets": "Yes"}),
    ("My budget is $4,200.", {"persona.budget": 4200}),
    ("We have 6k dollars for 5 days.", {"persona.budget": 6000}),
    ("One of us uses a wheelchair.", {"persona.disability": "Yes"}),
    ("I love hiking and fly business class.",
     {"flight.preferred_cabin": "business", "persona.interest": "hiking"}),
    ("It's a business trip.", {}),
    ("$200 per night.", {}),
    ("", {}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_clear_statements(text: str, expected: dict[str, object]):
    said = f"{WAY} {text}"
    stated = stated_in(travel_schema(), said)
    assert {name: answer.value for name, answer in stated} == expected
    assert all(said[answer.start : answer.end] for _, answer in stated)


def test_two_values_of_one_entry_are_none():
    assert not stated_in(travel_schema(), "With my child. No kids.")


def test_a_schema_without_synonyms_is_read_by_whole_telling_choices():
    schema = Schema(
        "cars",
        (
            Entry("maker", "maker", ("Toyota", "Peugeot", "no preference")),
            Entry("colour", "colour", ("racing green", "red")),
            Entry("price", "price", low=1000, high=90_000),
        ),
    )
    stated = dict(stated_in(schema, "A Peugeot in racing green for $20,000"))
    assert {name: answer.value for name, answer in stated.items()} == {
        "maker": "Peugeot", "colour": "racing green", "price": 20_000,
    }  # fmt: skip
    assert not stated_in(schema, "not a Peugeot")
