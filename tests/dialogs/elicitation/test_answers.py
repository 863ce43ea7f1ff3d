"""What an answer gives an entry: synonyms, negation, corrections, contrasts, and vagueness."""

import pytest

from concede.dialogs.elicitation.answers import answer_in
from concede.dialogs.elicitation.schema import Entry, travel_schema

CASES = [
    ("persona.travel_with_pets", "Yes please!", "Yes"),
    ("persona.travel_with_child", "Of course.", "Yes"),
    ("persona.travel_with_child", "Of course not", "No"),
    ("flight.need_travel_insurance", "Sure thing.", "Yes"),
    ("flight.preferred_fly_time", "an overnight flight", "red-eye"),
    ("flight.preferred_cabin", "coach", "coach"),
    ("flight.preferred_cabin", "economy — no wait, business", "business"),
    ("flight.preferred_airline", "AA", "American Airlines"),
    ("flight.preferred_airline", "Delta Airlnes", "Delta Airlines"),
    ("flight.preferred_airline", "No preference, but I'd like to avoid United.", "no preference"),
    ("flight.avoid_airline", "Anything but Delta", "Delta Airlines"),
    ("flight.avoid_airline", "I like Delta, but JetBlue, no thanks", "JetBlue Airways"),
    ("flight.avoid_airline", "Nope", "no preference"),
    ("flight.preferred_refundability", "Yes", "refundable"),
    ("flight.preferred_refundability", "It doesn't have to be refundable", "non-refundable"),
    ("hotel.preferred_amenities", "a gym", "Fitness center"),
    ("hotel.preferred_amenities", "Pool? Gym? Nah, give me breakfast.", "Breakfast"),
    ("hotel.preferred_bathroom_features", "a tub", "Bathtub"),
    ("hotel.preferred_proximity", "near the subway", "public transportation"),
    ("hotel.preferred_proximity", "downtown", "downtown"),
    ("hotel.preferred_proximity", "the heart of the city", "city center"),
    ("hotel.preferred_house_rules", "I don't want any parties next door", "No parties"),
    ("hotel.preferred_brand", "Used to stay at IHG, these days it's Hyatt.", "Hyatt"),
    ("restaurant.preferred_cuisines", "I like both Italian and French but mostly French", "French"),
    (
        "restaurant.preferred_cuisines",
        "I had Italian last trip, so this time Japanese.",
        "Japanese",
    ),
    ("attraction.preferred_duration", "100 minutes", "1-2 hours"),
    ("hotel.ratings", "four stars or better", 4),
    ("hotel.ratings", "4 out of 5", 4),
    ("flight.avoid_airline", "I'd rather walk than fly United again", "United Airlines"),
    ("attraction.preferred_type", "a natural history museum", "museum"),
    ("attraction.special_events", "I'm not one for events", "no preference"),
    ("flight.preferred_fly_time", "0600 or so", "morning"),
    ("flight.preferred_fly_time", "around 10 o'clock", "morning"),
    ("flight.preferred_fly_time", "2:30 p.m.", "afternoon"),
    ("flight.preferred_fly_time", "anywhere from 22:00", "red-eye"),
    ("flight.need_travel_insurance", "I should not travel without it.", "Yes"),
    ("restaurant.need_live_music", "Bands cover up bad food. No.", "No"),
    ("hotel.preferred_room_type", "A suite, failing that a private room", "suite"),
    ("hotel.ratings", "Three is a gamble and five is vanity. Four.", 4),
    ("hotel.ratings", "Three'll do", 3),
    ("hotel.ratings", "the cream of the crop", 5),
    ("persona.budget", "six thousand uh five hundred dollars", 6500),
    ("flight.preferred_cabin", "I would not consider anything below business.", "business"),
    ("persona.travel_with_pets", "Our dog remains with my mother", "No"),
    ("flight.preferred_airline", "not United and not American, Delta", "Delta Airlines"),
    ("persona.travel_with_child", "Wouldn't dream of leaving the twins behind", "Yes"),
    ("hotel.ratings", "I was going to say 4, no wait, 3 is enough", 3),
    ("persona.budget", "5k", 5000),
    ("persona.budget", "around $5,400", 5400),
    ("persona.budget", "fifty-four hundred dollars", 5400),
    ("persona.budget", "six thousand at most, for 5 nights", 6000),
    ("persona.travel_with_child", "yeah we have a toddler", "Yes"),
    ("persona.travel_with_child", "just the two of us adults", "No"),
    ("persona.travel_with_child", "The kids are staying with grandma", "No"),
    ("restaurant.need_live_music", "not needed", "No"),
    ("restaurant.allow_smoking", "I don't mind either way", "no preference"),
    ("attraction.special_events", "No, nothing in particular", "no preference"),
]

VAGUE = [
    ("flight.preferred_cabin", "hmm, not sure"),
    ("flight.preferred_cabin", "depends"),
    ("flight.preferred_fly_time", "9 am or 3 pm"),
    ("flight.preferred_fly_time", "we are 4 people"),
    ("flight.preferred_fly_time", "2000 dollars"),
    ("flight.preferred_fly_time", "at 2:30"),
    ("hotel.preferred_room_type", "something nice"),
    ("hotel.preferred_room_type", "whatever works"),
    ("flight.preferred_airline", "Delta or United"),
    ("hotel.preferred_amenities", "not the pool"),
    ("persona.travel_with_child", "I don't mind either way"),
    ("persona.budget", "not too expensive"),
    ("persona.budget", "500 a day"),
    ("persona.budget", "50 million"),
    ("hotel.ratings", "good ones"),
    ("hotel.ratings", "a nice one"),
    ("hotel.preferred_proximity", "depends on the beach"),
    ("hotel.preferred_room_type", "nothing too small"),
    ("persona.travel_with_pets", ""),
    ("persona.travel_with_pets", "🐶🐶🐶"),
]


@pytest.mark.parametrize(("name", "text", "value"), CASES)
def test_an_answer_gives_the_value_that_it_means(name: str, text: str, value: object):
    entry = travel_schema().find(name)
    answer = answer_in(entry, text, entry.question)
    assert answer is not None
    assert answer.value == value
    assert 0 <= answer.start < answer.end <= len(text)


@pytest.mark.parametrize(("name", "text"), VAGUE)
def test_what_tells_no_value_is_vague(name: str, text: str):
    entry = travel_schema().find(name)
    assert answer_in(entry, text, entry.question) is None


def test_the_evidence_is_the_words_of_the_value():
    text = "Well, after all this time I'd love a gym downstairs."
    answer = answer_in(travel_schema().find("hotel.preferred_amenities"), text)
    assert answer is not None
    assert text[answer.start : answer.end] == "gym"


def test_a_schema_of_ones_own_is_read_by_the_words_of_its_choices():
    colour = Entry("car.colour", "colour", ("dark red", "blue", "racing green", "no preference"))
    doors = Entry("car.doors", "doors", low=2, high=5)
    towbar = Entry("car.need_towbar", "car: need towbar", ("Yes", "No"))
    avoided = Entry("car.avoid_maker", "avoid maker", ("Fiat", "Ford", "no preference"))
    assert _value(colour, "something grene, racing green I mean") == "racing green"
    assert _value(colour, "Blue would be lovely") == "blue"
    assert _value(colour, "I don't mind") == "no preference"
    assert _value(colour, "fast") is None
    assert _value(doors, "four, for the kids") == 4
    assert _value(doors, "nine") is None
    assert _value(towbar, "I have no need of a towbar") == "No"
    assert _value(towbar, "a towbar would help") == "Yes"
    assert _value(avoided, "I like Fords, but never a Fiat again") == "Fiat"


def _value(entry: Entry, text: str) -> object:
    answer = answer_in(entry, text)
    return None if answer is None else answer.value
