"""The stay chosen for a trip meets what must hold, and more answers never make it worse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from concede import Catalog, Constraint
from concede.bench.apec.trips import StayFinder, Trip, read_trips, stay_bindings
from concede.catalogs.errors import UnreadableFile
from concede.dialogs.elicitation.agents import Asked, TakenDown
from concede.dialogs.elicitation.binding import bind_profile
from concede.dialogs.elicitation.choice_planner import ChoicePlanner
from concede.dialogs.elicitation.population import people
from concede.dialogs.elicitation.priors import TravelPrior
from concede.dialogs.elicitation.profile import Known, Profile
from concede.dialogs.elicitation.schema import Value, travel_schema
from concede.dialogs.transcripts.transcript import Span

pa = pytest.importorskip("pyarrow")

SCHEMA = travel_schema()
STAYS = Catalog.open(
    pa.table(
        {
            "number": [10, 11, 12, 13, 14, 15],
            "room type": ["Private room", "Entire home/apt", "Private room"] * 2,
            "price": [50.0, 200.0, 90.0, 120.0, None, 400.0],
            "review rate number": [2.0, 5.0, 4.0, 3.0, 4.0, None],
            "house_rules": [
                "No pets",
                None,
                "No smoking & No pets",
                "No parties",
                "No smoking",
                "",
            ],
            "city": ["Ulm"] * 5 + ["Bern"],
        }
    )
)
FINDER = StayFinder(STAYS, SCHEMA, TravelPrior(SCHEMA))
TRIP = Trip("a", "Ulm", 4)


def profile_of(**values: Value) -> Profile:
    """Return a profile; `hotel__ratings` stands for `hotel.ratings`."""
    named = {name.replace("__", "."): value for name, value in values.items()}
    return Profile({n: Known(n, v, Span(0, 0, 1, "x")) for n, v in named.items()})


def test_pets_rule_out_a_stay_that_bans_them_and_no_rule_is_no_ban():
    wishes = {"hotel__preferred_room_type": "private room", "hotel__ratings": 4}
    assert FINDER.choose(TRIP, profile_of(**wishes)).number == 12
    stay = FINDER.choose(TRIP, profile_of(**wishes, persona__travel_with_pets="Yes"))
    assert stay.number in (11, 13, 14)
    assert stay.relaxed
    assert "persona.travel_with_pets" not in stay.relaxed


def test_the_budget_is_spread_over_the_nights():
    bound = bind_profile(profile_of(persona__budget=1000), stay_bindings(4), lambda entry: 1.0)
    assert bound.constraints["persona.budget"].value == 100


def test_what_the_stays_lack_is_said_and_not_guessed():
    stay = FINDER.choose(TRIP, profile_of(hotel__preferred_room_type="villa", hotel__ratings=5))
    assert stay.number == 11
    assert stay.lacking == ("hotel.preferred_room_type",)
    assert stay.relaxed == ()


def test_only_the_trips_city_counts():
    assert FINDER.choose(Trip("a", "Bern", 1), Profile()).number == 15
    assert FINDER.choose(Trip("a", "Nowhere", 1), Profile()).number is None


class Answers:
    """Somebody who answers with the value itself."""

    def __init__(self, profile: dict[str, Value]) -> None:
        self.profile = profile

    def request(self) -> str:
        return "Day 1, from Ulm to Bern"

    def answer(self, asked: Asked) -> str:
        return str(self.profile[asked.entry])


class Reads:
    """Takes an answer for the value it is."""

    def read(self, schema, profile, asked, said):
        if asked is None:
            return TakenDown(profile)
        value = schema.find(asked.entry).value_of(list(said)[-1].content)
        return TakenDown(profile.with_(Known(asked.entry, value, Span(0, 0, 1, "x"))))


@pytest.mark.parametrize("number", range(12))
def test_asking_only_what_can_change_the_choice_chooses_as_if_all_were_known(number: int):
    person = people(12, "coherent", 4)[number]
    bindings = stay_bindings(TRIP.nights)
    city = [Constraint(column="city", op="==", value=TRIP.city)]
    # Whatever may still add anything is asked.
    asking = ChoicePlanner(STAYS, city, bindings, FINDER.prior, least=0.0)
    held = FINDER.ask(TRIP, Answers(person.profile), Reads(), 12, asking)
    bound = [binding.entry for binding in bindings]
    assert {question.entry for question in held.asked} <= set(bound)
    whole = Profile({n: Known(n, person.profile[n], Span(0, 0, 1, "x")) for n in bound})
    planner = FINDER.planner(TRIP)
    worth = planner.known(whole, FINDER.prior.worths(whole))
    numbers = [row["number"] for row in STAYS.fetch(planner.rows.tolist())]
    chosen = worth[numbers.index(FINDER.choose(TRIP, held.profile).number)]
    assert chosen >= worth.max() - 0.05


def test_one_budget_pays_for_stay_and_meals():
    restaurants = Catalog.open(
        pa.table(
            {
                "number": [0, 1, 2],
                "City": ["Ulm", "Ulm", "Bern"],
                "Cuisines": ["Tea, Pizza", "Pizza", "Pizza"],
                "Average Cost": [40, 10, 5],
                "Aggregate Rating": [4.5, 0.0, 4.0],
            }
        )
    )
    wishes = {"restaurant__preferred_cuisines": "Pizza", "restaurant__ratings": 4}
    poor = profile_of(**wishes, persona__budget=500, hotel__preferred_room_type="private room")
    stay = FINDER.choose(TRIP, poor)
    assert stay.price == 50
    # 300 are left for 8 meals: 37.5 each, and 40 is too much, so one wish gives way.
    meal = FINDER.dine(TRIP, poor, stay, restaurants)
    assert meal.relaxed in (("persona.budget",), ("restaurant.ratings",))
    rich = profile_of(**wishes, persona__budget=900, hotel__preferred_room_type="private room")
    assert FINDER.dine(TRIP, rich, FINDER.choose(TRIP, rich), restaurants).number == 0


def test_trips_are_read_and_what_is_none_is_named(tmp_path: Path):
    path = tmp_path / "trips.jsonl"
    path.write_text(json.dumps({"traveller": "a", "city": "Ulm", "nights": 4}) + "\n")
    assert read_trips(path) == [TRIP]
    for bad in ({"nights": 0}, {"nights": True}, {"city": 3}, {"traveller": None}):
        path.write_text(json.dumps({"traveller": "a", "city": "Ulm", "nights": 4} | bad) + "\n")
        with pytest.raises(UnreadableFile, match="line 1"):
            read_trips(path)


def test_wishes_for_meals_are_asked_where_there_are_restaurants():
    restaurants = Catalog.open(
        pa.table(
            {
                "number": [0, 1, 2],
                "City": ["Ulm"] * 3,
                "Cuisines": ["Pizza, Tea", "Italian", "Korean"],
                "Average Cost": [20, 20, 20],
                "Aggregate Rating": [4.0, 4.0, 4.0],
            }
        )
    )
    person = people(1, "coherent", 4)[0].profile | {"restaurant.preferred_cuisines": "Korean"}
    asking = FINDER.planner_with(TRIP, restaurants)
    held = FINDER.ask(TRIP, Answers(person), Reads(), 12, asking)
    asked = {question.entry for question in held.asked}
    assert "restaurant.preferred_cuisines" in asked
    # All are rated alike, so a rating changes nothing.
    assert "restaurant.ratings" not in asked
    stay = FINDER.choose(TRIP, held.profile)
    assert FINDER.dine(TRIP, held.profile, stay, restaurants).number == 2
