"""Steps that are taken without words, by a button or a program: each says what it changed.

The reply becomes part of the conversation, as the reply to words does.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...catalogs.errors import QueryError
from .changes import after_change, changes, taken
from .sentences import offer, understood
from .session import Session


def refuse(session: Session, positions: Iterable[int] | None = None) -> str:
    """Let wishes never give way (see `Negotiation.refuse`); return the reply."""
    before = session.query
    proposal = session.refuse(positions)
    return _told(session, [*changes(session, before), offer(session, proposal)])


def forget(session: Session, position: int) -> str:
    """Forget a wish (see `Negotiation.forget`); return the reply."""
    before, offered = session.query, session.proposal is not None
    session.forget(position)
    told = changes(session, before) or [understood(session)]
    return _told(session, [*told, after_change(session, offered)])


def undo(session: Session) -> str:
    """Take back the last step; return the reply. Raises `QueryError` where there is none."""
    if not session.undo():
        raise QueryError("nothing to take back", hint="say something first")
    return _told(session, [understood(session)])


def accept(session: Session, place: int = 0) -> str:
    """Take an item (see `Negotiation.accept`); return the reply."""
    return _told(session, [taken(session, session.accept(place))])


def _told(session: Session, sentences: Iterable[str]) -> str:
    reply = " ".join(filter(None, sentences))
    session.tell(reply)
    return reply
