"""Run a whole conversation with a simulated user: opening, questions, answers, a proposal."""

from __future__ import annotations

from .roles import RolePlayer
from .session import Proposal, Session


def interview(session: Session, player: RolePlayer, opening: str) -> Proposal:
    """Return the proposal at the end of a conversation.

    The opening is heard, every question the agent asks is answered by the player, and what
    was understood is proposed. Raises what session and player raise.
    """
    session.hear(opening)
    while (question := session.next_question()) is not None:
        session.hear(player.answer(question, session.transcript))
    return session.propose()
