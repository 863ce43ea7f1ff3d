"""Wishes that were set elsewhere than in words, as filters beside the conversation are."""

import pyarrow as pa
import pytest

from concede import Catalog
from concede.catalogs.query.constraint import Constraint, Objective
from concede.dialogs.conversation.session import Session

LAMPS = Catalog.open(
    pa.table(
        {
            "kind": ["table", "floor", "wall"] * 8,
            "price": [20 + i * 7 % 90 for i in range(24)],
            "colour": ["red", "white"] * 12,
        }
    )
)
CHEAP = Constraint(column="price", op="<=", value=60)
RED = Constraint(column="colour", op="==", value="red")


@pytest.fixture
def session() -> Session:
    session = Session(LAMPS)
    session.hear("a table lamp under 50")
    return session


def test_they_take_the_place_of_all_that_is_known(session: Session):
    goal = Objective(column="price", direction="min")
    session.adopt([], [CHEAP, RED], [goal])
    assert session.preferences.known == (CHEAP, RED)
    assert session.query.objectives == (goal,)


def test_a_weight_that_somebody_set_holds_whatever_is_said(session: Session):
    session.adopt([], [CHEAP, RED.model_copy(update={"weight": 0.9})], [])
    session.respond("the price matters more to me than the colour does", propose=True)
    weights = {wish.column: wish.weight for wish in session.preferences.soft}
    assert weights["colour"] == 0.9


def test_what_is_hard_stays_hard_whatever_its_weight(session: Session):
    session.adopt([], [RED.model_copy(update={"hard": True, "weight": 0.1})], [])
    session.propose()
    assert session.preferences.soft[0].hard


def test_it_is_one_step_back(session: Session):
    before = session.state
    session.adopt([], [RED], [])
    assert session.undo()
    assert session.state == before


def test_the_same_again_changes_nothing(session: Session):
    wishes = session.preferences
    session.propose()
    proposal, past = session.proposal, session.state
    session.adopt(list(wishes.base), list(wishes.soft), list(wishes.objectives))
    assert session.proposal is proposal
    assert session.state == past


def test_what_was_proposed_for_other_wishes_is_proposed_no_more(session: Session):
    session.propose()
    session.adopt([], [RED], [])
    assert session.proposal is None
