"""A message that says nothing but a bound says its side; any other leaves it as it was decided."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs import extract
from concede.dialogs.extraction.mentions import find_mentions
from concede.dialogs.extraction.plain_bounds import side_of_complaint, side_of_plain_bound
from concede.dialogs.extraction.quantities import find_quantities
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import ValueIndex, index_of
from concede.dialogs.transcripts.transcript import Message


@pytest.fixture(scope="module")
def index() -> ValueIndex:
    return index_of(Catalog.open(pa.table({"walk_mins": [*range(3, 43)], "zone": ["a", "b"] * 20})))


@pytest.mark.parametrize(
    ("text", "decided", "side"),
    [
        ("anything over 15", "<=", ">"),
        ("anything over 15 minutes is fine", "<", ">"),
        ("it has to be under 15", ">", "<"),
        ("15 at the very most", ">=", "<="),
        ("nothing below 15", "<", ">="),
        ("anything over 15", ">=", ">="),
        ("15 please", "<=", "<="),
        ("anything over 15", "==", "=="),
        ("anything over 15 makes my knee hurt", "<=", "<="),
        ("no, anything over 15", "<=", "<="),
        ("over 15 and under 15", ">", ">"),
        ("older than 15", "<", "<"),
    ],
)
def test_the_words_of_a_bound_alone_decide(
    index: ValueIndex, text: str, decided: str, side: str
) -> None:
    reading = Reading(text, 0, index, {})
    mention = next(one for one in find_mentions(reading) if one.kind == "number")
    assert side_of_plain_bound(reading, mention, decided) == side


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("15 minutes is too far", "<"),
        ("15 is a bit too long for me", "<"),
        ("15 is too short", ">"),
        ("15, too far", "=="),
        ("15 is fine, too", "=="),
        ("not too far, 15 say", "=="),
        ("15, that's far", "=="),
    ],
)
def test_what_is_called_too_much_is_bounded_below_it(
    index: ValueIndex, text: str, side: str
) -> None:
    reading = Reading(text, 0, index, {})
    mention = next(found for found in find_mentions(reading) if found.kind == "number")
    assert side_of_complaint(reading, mention, mention.options[0].column, "==") == side


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("a walk of 15 minutes, give or take 5", (10.0, 20.0)),
        ("15 plus or minus 2", (13.0, 17.0)),
        ("15 ± 3", (12.0, 18.0)),
        ("20, give or take 10%", (18.0, 22.0)),
        ("15, give or take", None),
        ("15 and then 5", None),
    ],
)
def test_how_far_from_a_number_is_near_enough(
    index: ValueIndex, text: str, ends: tuple[float, float] | None
) -> None:
    reading = Reading(text, 0, index, {})
    found = {(number.value, number.high) for number in find_quantities(reading) if number.high}
    assert found == ({ends} if ends else set())


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("the nearest one", []),
        ("which one", []),
        ("one zone", [1.0]),
        ("zone one", [1.0]),
        ("the nearest one zone", [1.0]),
    ],
)
def test_one_that_stands_for_a_thing_is_no_number(
    index: ValueIndex, text: str, numbers: list[float]
) -> None:
    reading = Reading(text, 0, index, {})
    assert [number.value for number in find_quantities(reading)] == numbers


@pytest.mark.parametrize(
    ("text", "op", "value"),
    [
        ("not in the evening please", "<", "18:00"),
        ("not in the morning, please", ">", "12:00"),
        ("in the evening please", "between", ("18:00", "23:59")),
        ("no, in the evening please", "between", ("18:00", "23:59")),
    ],
)
def test_a_part_of_the_day_that_is_refused_is_a_bound(text: str, op: str, value: object) -> None:
    starts = [f"{hour:02}:{minute:02}" for hour in range(8, 21) for minute in (0, 15, 30)]
    table = {"class": [f"Class {n}" for n in range(39)], "start": starts}
    (found,) = extract(text, Catalog.open(pa.table(table))).constraints
    assert (found.constraint.op, found.constraint.value) == (op, value)


@pytest.fixture(scope="module")
def walks() -> Catalog:
    table = {
        "price": [*range(20, 100, 2)],
        "zone": ["north", "south"] * 20,
        "start": [f"{8 + n % 13:02}:{30 * (n % 2):02}" for n in range(40)],
    }
    return Catalog.open(pa.table(table))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("price not between 50 and 80", "50 and 80"),
        ("not from 2 to 4 pm", "2 to 4 pm"),
        ("north, not between 14:00 and 16:00", "14:00 and 16:00"),
    ],
)
def test_what_lies_between_two_ends_and_is_refused_is_said_not_to_be_understood(
    walks: Catalog, text: str, said: str
) -> None:
    read = extract(text, walks)
    assert {each.constraint.column for each in read.constraints} <= {"zone"}
    assert [each.evidence.text for each in read.not_understood] == [said]


@pytest.mark.parametrize("text", ["price between 50 and 80", "no, between 50 and 80 in price"])
def test_a_comma_parts_a_denial_from_a_range(walks: Catalog, text: str) -> None:
    assert [str(each.constraint) for each in extract(text, walks).constraints] == [
        "price between 50 and 80"
    ]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("price up to about 70", "price ≤ 70"),
        ("price at least around 40", "price ≥ 40"),
        ("price about 50", "price between 45 and 55"),
        ("price from 40 on, about 50", "price between 45 and 55"),
    ],
)
def test_a_bound_that_is_said_roughly_is_a_bound(walks: Catalog, text: str, wish: str) -> None:
    assert [str(each.constraint) for each in extract(text, walks).constraints] == [wish]


def test_a_rough_number_is_a_bound_where_that_is_asked_for(walks: Catalog) -> None:
    asked = Message("assistant", "Price goes from 20 to 98. What would you pay at most?")
    read = extract([asked, Message("user", "dunno, 60 ish?")], walks)
    assert [str(each.constraint) for each in read.constraints] == ["price ≤ 60"]


@pytest.fixture(scope="module")
def halls() -> Catalog:
    table = {
        "price": [*range(300, 900, 15)],
        "rating": [3 + n % 20 / 10 for n in range(40)],
        "distance_to_bus_miles": [0.2 + n % 12 / 4 for n in range(40)],
        "kind": ["barn", "tent", "yurt", "cabin"] * 10,
    }
    return Catalog.open(pa.table(table))


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("rating only 3.7, that's low", "rating > 3.7"),
        ("a 3.7 rating is rather low", "rating > 3.7"),
        ("rating 3.7 isn't great", "rating > 3.7"),
        ("rating 3.7, not very good", "rating > 3.7"),
        ("650 is steep for that", "price < 650"),
        ("650 is rather a lot", "price < 650"),
        ("a price of 650 is not expensive", "price ≤ 650"),
        ("rating 4, that's good", "rating ≥ 4"),
    ],
)
def test_a_number_that_is_complained_of_is_none_to_have(
    halls: Catalog, text: str, wish: str
) -> None:
    assert [str(part.constraint) for part in extract(text, halls).constraints] == [wish]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("a barn within a mile", "distance_to_bus_miles ≤ 1"),
        ("a barn, a mile at most", "distance_to_bus_miles ≤ 1"),
        ("a barn a km from the bus", "distance_to_bus_miles ≤ 0.621371"),
        ("a barn, I walk a mile every day", None),
        ("a barn within a week", None),
        ("a barn, we got it for a mile of cable", None),
    ],
)
def test_a_measure_in_words_bounds_what_alone_is_measured_so(
    halls: Catalog, text: str, wish: str | None
) -> None:
    read = {str(part.constraint) for part in extract(text, halls).constraints}
    assert read == {"kind = barn", *filter(None, [wish])}


@pytest.fixture(scope="module")
def kayaks() -> Catalog:
    brands = ["Perception", "Wavesport", "Prijon"] * 10
    colours = ["red", "lime", "orange", "blue", "grey"] * 6
    faults = ["leaky hatch", "bent skeg", None] * 10
    table = {"kayak": [f"K{n}" for n in range(30)], "brand": brands, "colour": colours}
    return Catalog.open(pa.table({**table, "damage": faults, "price": [*range(100, 400, 10)]}))


@pytest.mark.parametrize(
    ("text", "wishes", "waived"),
    [
        ("I don't want a Prijon in particular, any brand", [], ["brand"]),
        ("I'm not after orange specifically", [], ["colour"]),
        ("we need no Wavesport in particular, at most 200", ["price ≤ 200"], ["brand"]),
        ("I mean 30 kayaks, any brand", [], ["brand"]),
        ("I hate lime in particular", ["colour ≠ lime"], []),
        ("not a Prijon, any other brand", ["brand ≠ Prijon"], []),
        ("I don't want a red kayak", ["colour ≠ red"], []),
        ("without any damage", ["damage is null"], []),
        ("I can't have any damage", ["damage is null"], []),
    ],
)
def test_what_is_not_asked_for_in_particular_is_not_unwanted(
    kayaks: Catalog, text: str, wishes: list[str], waived: list[str]
) -> None:
    read = extract(text, kayaks)
    assert [str(each.constraint) for each in read.constraints] == wishes
    assert [*read.waived] == waived


@pytest.mark.parametrize(
    ("text", "also"),
    [
        ("250 is ok", True),
        ("a price of 250 would be fine too", True),
        ("lime is fine as well", True),
        ("up to 250 is ok", False),
        ("250 at most is fine", False),
        ("a lime one", False),
        ("250 is not ok", False),
    ],
)
def test_what_is_said_to_do_is_marked(kayaks: Catalog, text: str, also: bool) -> None:
    found = [each.also for each in extract(text, kayaks).constraints]
    assert found in ([also], [] if not also else [also])


def test_values_that_will_do_are_wished_together(kayaks: Catalog) -> None:
    read = extract("a red kayak, lime is fine as well", kayaks)
    assert [str(each.constraint) for each in read.constraints] == ["colour in red, lime"]


def test_what_is_better_than_a_value_is_said_not_to_be_understood(kayaks: Catalog) -> None:
    read = extract("a Prijon or better", kayaks)
    assert [str(each.constraint) for each in read.constraints] == ["brand = Prijon"]
    assert [each.evidence.text for each in read.not_understood] == ["or better"]


@pytest.fixture(scope="module")
def radios() -> Catalog:
    table = {
        "radio": [f"R{n}" for n in range(32)],
        "state": ["fair", "good", "very good", "like new"] * 8,
        "maker": ["Roberts", "Hacker"] * 16,
        "grade": ["advanced", "beginner", "intermediate", "beginner"] * 8,
        "EPC": ["C", "A", "B", "D"] * 8,
        "dial (cm)": [*range(4, 36)],
        "battery life (h)": [*range(2, 34)],
        "price": [*range(40, 360, 10)],
        "delivery time (days)": [*range(1, 17)] * 2,
        "tuning speed (ms)": [*range(100, 420, 10)],
        "distance to shop (km)": [n / 2 for n in range(32)],
        "nearest mast (km)": [n / 4 for n in range(32)],
    }
    return Catalog.open(pa.table(table))


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        (
            "a Roberts, state good or better",
            ["maker = Roberts", "state in good, very good, like new"],
        ),
        ("good or beter", ["state in good, very good, like new"]),
        ("no worse than very good", ["state in very good, like new"]),
        ("at least intermediate", ["grade in intermediate, advanced"]),
        ("good or worse", ["state in fair, good"]),
        ("not fair or worse", ["state ≠ fair"]),
        (
            "a good radio with at least 20 h of battery life",
            ["state = good", "battery life (h) ≥ 20"],
        ),
        ("EPC B or better", ["EPC in B, A"]),
        ("very good or like new, not only good", ["state in very good, like new, good"]),
        ("good, at least 9 cm dial", ["state = good", "dial (cm) ≥ 9"]),
        ("a price of at most 90 and good", ["price ≤ 90", "state = good"]),
        ("only good", ["state = good"]),
    ],
)
def test_values_in_a_common_order_are_bounds(radios: Catalog, text: str, wishes: list[str]) -> None:
    assert [str(each.constraint) for each in extract(text, radios).constraints] == wishes


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("distance to shop at most 5 km please", ["distance to shop (km) ≤ 5"]),
        ("the distance to the shop should be under 5 km", ["distance to shop (km) < 5"]),
        ("within 5 km of the shop", ["distance to shop (km) ≤ 5"]),
        ("within 5 km of a mast", ["nearest mast (km) ≤ 5"]),
        ("too small. min. 6 cm", ["dial (cm) ≥ 6"]),
        ("too big. max 6 cm", ["dial (cm) ≤ 6"]),
        ("we have around 90 pounds", ["price ≤ 99"]),
        ("my budget is about 90", ["price ≤ 99"]),
        ("about 90 is all that we can spare", ["price ≤ 99"]),
        ("I'd happily pay something like 90 pounds", ["price ≤ 99"]),
        ("we've got roughly 90 pounds to spend", ["price ≤ 99"]),
        ("a price of around 100", ["price between 90 and 110"]),
        ("which of those 4 is a Hacker", ["maker = Hacker"]),
        ("the 4 please, a Hacker", ["maker = Hacker"]),
        ("the 4 cm dial", ["dial (cm) = 4"]),
    ],
)
def test_what_a_number_is_of_and_how_it_bounds(
    radios: Catalog, text: str, wishes: list[str]
) -> None:
    assert [str(each.constraint) for each in extract(text, radios).constraints] == wishes


def test_what_is_named_beside_a_time_is_bounded_whatever_was_asked(radios: Catalog) -> None:
    asked = Message("assistant", "Which maker would you like: Roberts (3) or Hacker (4)?")
    answer = "a Hacker would be nice but it has to get here within a week"
    read = extract([asked, Message("user", answer)], radios).constraints
    assert "delivery time (days) ≤ 7" in {str(each.constraint) for each in read}


@pytest.mark.parametrize(
    ("answer", "leans"),
    [
        ("a good battery life", ["battery life (h)"]),
        ("very good battery life", ["battery life (h)"]),
        ("a big dial is important", ["dial (cm)"]),
        ("it needs no big dial", []),
        ("my old one has a small dial", []),
        ("the small dial worries me", []),
        ("a good state", []),
    ],
)
def test_much_of_what_is_named_behind_is_leant_to(
    radios: Catalog, answer: str, leans: list[str]
) -> None:
    asked = Message("assistant", "Which maker would you like: Roberts (3) or Hacker (4)?")
    read = extract([asked, Message("user", answer)], radios)
    assert [leaning.column for leaning in read.leanings] == leans
    if leans:
        assert not read.constraints
