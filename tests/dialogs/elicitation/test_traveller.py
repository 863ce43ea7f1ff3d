"""Simulated travellers: faithful, never volunteering, the same for a seed, vague at most once."""

import pytest

from concede.catalogs.errors import QueryError
from concede.dialogs.elicitation.agents import Asked
from concede.dialogs.elicitation.conversation import elicit
from concede.dialogs.elicitation.planners import published_planner
from concede.dialogs.elicitation.population import people
from concede.dialogs.elicitation.requests import stated_in
from concede.dialogs.elicitation.schema import travel_schema
from concede.dialogs.elicitation.stenographer import OfflineStenographer
from concede.dialogs.elicitation.traveller import SimulatedTraveller, styles

SCHEMA = travel_schema()


@pytest.mark.parametrize("style", styles())
def test_every_answer_of_a_made_traveller_says_its_value(style: str):
    for number, person in enumerate(people(4, "published", 3)):
        traveller = SimulatedTraveller(person.profile, style, number)
        done = elicit(SCHEMA, published_planner(), OfflineStenographer(), traveller, 96)
        found = {name: known.value for name, known in done.profile.items()}
        assert found == {name: person.profile[name] for name in found}
        assert {entry.name for entry in SCHEMA.askable} <= set(found)


def test_an_answer_depends_on_the_entry_and_the_seed_alone():
    values = people(1, "coherent", 1)[0].profile
    names = [entry.name for entry in SCHEMA.askable]
    first, second = SimulatedTraveller(values, seed=7), SimulatedTraveller(values, seed=7)
    forward = {name: first.answer(Asked(name, "?")) for name in names}
    assert forward == {name: second.answer(Asked(name, "?")) for name in reversed(names)}
    other = SimulatedTraveller(values, seed=8)
    assert forward != {name: other.answer(Asked(name, "?")) for name in names}


def test_a_request_names_the_way_and_at_most_two_true_wishes():
    for number, person in enumerate(people(60, "coherent", 2)):
        request = SimulatedTraveller(person.profile, seed=number).request()
        assert "Day 1" in request
        stated = stated_in(SCHEMA, request)
        assert len(stated) <= 2
        assert all(person.profile[name] == answer.value for name, answer in stated)


def test_hesitant_travellers_are_vague_sometimes_and_never_twice():
    values = people(1, "coherent", 1)[0].profile
    names = [entry.name for entry in SCHEMA.askable]
    vague = 0
    for seed in range(10):
        traveller = SimulatedTraveller(values, "hesitant", seed)
        for name in names:
            vague += traveller.answer(Asked(name, "?")) != traveller.answer(Asked(name, "?", True))
    assert 0.2 < vague / (10 * len(names)) < 0.4


def test_recorded_answers_and_request_are_told_word_for_word():
    recorded = {"persona.budget": ("hm", "4,000 dollars")}
    traveller = SimulatedTraveller({}, seed=1, request="Hello.", answers=recorded)
    assert traveller.request() == "Hello."
    assert traveller.answer(Asked("persona.budget", "?")) == "hm"
    assert traveller.answer(Asked("persona.budget", "?", again=True)) == "4,000 dollars"


def test_what_has_no_value_is_kept_to_itself():
    assert SimulatedTraveller({}).answer(Asked("persona.budget", "?")) == "I would rather not say."


def test_an_unknown_style_is_refused():
    with pytest.raises(QueryError, match="no style"):
        SimulatedTraveller({}, "loud")
