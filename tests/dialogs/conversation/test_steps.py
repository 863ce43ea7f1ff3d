"""Steps without words: each changes what it says, is told, and can be taken back."""

import pytest

from concede import Catalog
from concede.catalogs.errors import QueryError
from concede.dialogs.conversation import steps
from concede.dialogs.conversation.session import MAX_TURNS, Session


@pytest.fixture
def session() -> Session:
    talk = Session(Catalog.open("sample:cars"))
    talk.respond("I am looking for a Toyota sedan")
    talk.respond("newer than 2016, under 15000, and large", propose=True)
    return talk


def last(session: Session) -> str:
    return session.messages[-1].content


def test_a_forgotten_wish_is_said_and_offered_without(session: Session):
    before = session.state
    reply = steps.forget(session, 0)
    assert reply == last(session)
    assert reply.startswith("Make is open again, no longer Toyota.")
    assert [wish.column for wish in session.query.base] == ["Vehicle Style"]
    assert session.proposal is not None
    assert session.proposal.query.base == session.query.base
    steps.undo(session)
    assert session.state == before


def test_an_objective_is_forgotten_by_its_place_after_the_wishes(session: Session):
    session.respond("the lowest MSRP, please")
    assert [goal.column for goal in session.query.objectives] == ["MSRP"]
    reply = steps.forget(session, len(session.preferences.known))
    assert session.query.objectives == ()
    assert reply.startswith("Understood so far")


def test_what_all_is_forgotten_offers_nothing(session: Session):
    while session.preferences.known:
        steps.forget(session, 0)
    assert session.proposal is None
    assert session.query.constraints == session.query.base == ()


@pytest.mark.parametrize("position", [-1, 99])
def test_no_such_wish(session: Session, position: int):
    before = session.state
    with pytest.raises(QueryError, match="no wish"):
        steps.forget(session, position)
    assert session.state == before


def test_what_is_refused_stays_and_the_next_offer_is_said(session: Session):
    reply = steps.refuse(session)
    assert reply == last(session)
    assert "stays, whatever else gives way. Nothing fits all of it. If " in reply


def test_an_item_is_taken_and_named(session: Session):
    assert steps.accept(session, 1) == last(session)
    assert last(session).startswith("Taken: Toyota")
    steps.undo(session)
    assert session.accepted is None


def test_a_full_conversation_takes_steps_in_silence(session: Session):
    while len(session.messages) < MAX_TURNS:
        session.say("x")
    assert steps.refuse(session)
    assert steps.undo(session)
    assert last(session) == "x"


def test_nothing_to_take_back():
    with pytest.raises(QueryError, match="nothing to take back"):
        steps.undo(Session(Catalog.open("sample:cars")))
