"""The offline agent asks first what is expected to rule out most of what is left."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog, Constraint
from concede.catalogs.errors import UnknownColumn
from concede.dialogs.conversation.agents import OfflineAgent, open_slots
from concede.dialogs.conversation.roles import Choice
from concede.dialogs.transcripts.transcript import Transcript

pa = pytest.importorskip("pyarrow")

FLATS = Catalog.open(
    pa.table(
        {
            "id": [f"flat {n}" for n in range(8)],
            "city": ["Ulm"] * 8,
            "district": ["Nord", "Nord", "Nord", "Nord", "Ost", "West", "West", "Sued"],
            "rent": [600, 700, 800, 900, 1000, 1100, 1200, 1300],
            "balcony": [True, True, True, True, True, True, True, False],
            "stars": [None, None, None, None, None, None, 4, 5],
        }
    )
)
NOTHING = Transcript.of("a flat")


def test_slots_are_columns_worth_asking_about():
    assert open_slots(FLATS, []) == ("district", "rent", "balcony", "stars")
    known = [Constraint(column="district", op="==", value="Nord")]
    assert open_slots(FLATS, known) == ("rent", "balcony", "stars")


def test_the_price_is_asked_first_then_what_rules_out_most():
    agent = OfflineAgent(FLATS)
    slots = ["district", "rent", "balcony"]
    stakes = agent.stakes([], slots)
    # 4, 1, 2 and 1 of 8 rows; eight rents, half ruled out by a bound; 7 and 1 of 8.
    assert stakes["district"] == pytest.approx(1 - (16 + 1 + 4 + 1) / 64)
    assert stakes["rent"] == pytest.approx((1 - 1 / 8) / 2)
    assert stakes["balcony"] == pytest.approx(1 - (49 + 1) / 64)
    questions = []
    while question := agent.ask(NOTHING, [], slots):
        questions.append(question.slot)
        slots.remove(question.slot)
    assert questions == ["rent", "district", "balcony"]


def test_what_is_known_changes_what_matters():
    agent = OfflineAgent(FLATS)
    known = [Constraint(column="district", op="==", value="Nord")]
    assert agent.stakes(known, ["district", "rent"]) == {"district": 0.0, "rent": 0.375}
    nothing_left = [Constraint(column="rent", op="<", value=0)]
    assert agent.stakes(nothing_left, ["rent"]) == agent.stakes([], ["rent"])


def test_rows_without_a_value_meet_no_wish():
    assert OfflineAgent(FLATS).stakes([], ["stars"])["stars"] == pytest.approx(0.75 + 0.25 * 0.25)


def test_questions_are_short_and_fit_the_column():
    agent = OfflineAgent(FLATS)
    assert agent.question("rent") == "Rent goes from 600 to 1,300. What would you pay at most?"
    assert agent.question("stars") == "Stars goes from 4 to 5. What is the least you need?"
    assert agent.question("district") == (
        "Which district would you like: Nord (4), West (2), Ost (1) or Sued (1)?"
    )
    assert agent.question("balcony") == "Do you want balcony, or is it all the same?"
    for name in FLATS.columns:
        assert agent.question(name).count("?") == 1


def test_what_there_is_to_choose_from_is_counted():
    agent = OfflineAgent(FLATS)
    cheap = [Constraint(column="rent", op="<=", value=1100)]
    for slot, known, choices in [
        ("rent", [], ()),
        (
            "district",
            [],
            (Choice("Nord", 4), Choice("West", 2), Choice("Ost", 1), Choice("Sued", 1)),
        ),
        ("district", cheap, (Choice("Nord", 4), Choice("Ost", 1), Choice("West", 1))),
        ("balcony", [], (Choice("yes", 7), Choice("no", 1))),
        ("balcony", cheap, (Choice("yes", 6),)),
    ]:
        question = agent.ask(NOTHING, known, [slot])
        assert question is not None
        assert set(question.choices) == set(choices)


def test_choices_are_those_of_what_is_left():
    agent = OfflineAgent(FLATS)
    cheap = [Constraint(column="rent", op="<=", value=900)]
    assert agent.question("district", cheap) == "Which district would you like?"
    some = [Constraint(column="rent", op="<=", value=1100)]
    assert agent.question("district", some) == (
        "Which district would you like: Nord (4), West (1) or Ost (1)?"
    )
    north = [Constraint(column="district", op="==", value="Nord")]
    assert agent.question("rent", north).startswith("Rent goes from 600 to 900.")


def test_lists_are_asked_about_by_their_values():
    skills = [["Go", "SQL"], ["Go"], ["Java", "Go"], None]
    agent = OfflineAgent(Catalog.open(pa.table({"skills": skills, "pay": [1, 2, 3, 4]})))
    assert 0.0 < agent.stakes([], ["skills"])["skills"] < 1.0
    assert agent.question("skills") == "Which skills would you like: Go (3), SQL (1) or Java (1)?"


def test_nobody_is_asked_for_what_nobody_decides_by():
    count = 40
    catalog = Catalog.open(
        pa.table(
            {
                "number": list(range(1, count + 1)),
                "offer_id": [n // 2 for n in range(count)],
                "latitude": [48.0 + n % 7 for n in range(count)],
                "website": [f"https://example.org/{n % 3}" for n in range(count)],
                "home": [f"https://example.org/{n % 3}" for n in range(count)],
                "blurb": [
                    f"{n % 3} words about it, and then some more of them" for n in range(count)
                ],
                "title": [f"flat {n}" for n in range(count)],
                "colour": ["red", "blue"] * (count // 2),
                "rent": [500 + n // 2 for n in range(count)],
            }
        )
    )
    assert open_slots(catalog, []) == ("colour", "rent")


def test_slots_that_are_not_there():
    agent = OfflineAgent(FLATS)
    assert agent.ask(NOTHING, [], []) is None
    with pytest.raises(UnknownColumn, match="rent"):
        agent.ask(NOTHING, [], ["rents"])


@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=12))
def test_the_stake_is_what_a_wish_for_any_rows_value_rules_out(values):
    catalog = Catalog.open(pa.table({"kind": pa.array(values, pa.string())}))
    known = [value for value in values if value is not None]
    pairs = list(product(known, known))
    missed = sum(value != other for value, other in pairs) / len(pairs) if pairs else 0.0
    share = len(known) / len(values)
    expected = share * missed + (1 - share) if known else 0.0
    assert OfflineAgent(catalog).stakes([], ["kind"])["kind"] == pytest.approx(expected)
