"""Asking by gain until nothing more would change the choice, then repairing what was said."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...catalogs.query.constraint import Constraint
from ...catalogs.versions.reader import CatalogReader
from ..transcripts.transcript import Message, Span
from .gain_agent import GainAgent
from .roles import Question
from .saved_profile import SavedWish, profile_record
from .session import Proposal, Session

Answering = Callable[[Question, bool], str]
"""Answers a question; True: it is asked again, since the first answer said nothing."""

DEFAULT_QUESTIONS = 6


@dataclass(frozen=True)
class Elicited:
    """What was asked, why it ended, and what came of it.

    `stopped_by`: `gain` where no answer would add enough, `questions` where they were over,
    `columns` where none was left. `proposal` is None where nothing was wished.
    """

    asked: tuple[Question, ...]
    stopped_by: str
    wishes: tuple[SavedWish, ...]
    proposal: Proposal | None

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object; `repair` is the answer's own."""
        return {
            "asked": [{"column": q.slot, "gain": q.gain, "question": q.text} for q in self.asked],
            "stopped_by": self.stopped_by,
            "profile": profile_record(self.wishes),
            "repair": None if self.proposal is None else self.proposal.answer.record(),
        }


def elicit_wishes(
    catalog: CatalogReader,
    answer: Answering,
    *,
    base: Sequence[Constraint] = (),
    opening: str = "",
    questions: int = DEFAULT_QUESTIONS,
) -> Elicited:
    """Ask at most so many questions about rows that meet `base`; repair what the answers say.

    `opening` is what was said before, and is read. An answer of which nothing is understood is
    asked for once more. Raises what the session raises.
    """
    agent = GainAgent(catalog)
    session = Session(catalog, agent=agent, max_questions=questions)
    said: dict[str, str] = {}
    if opening:
        _heard(session, opening, said)
    else:
        # A conversation begins with the person; here the base says it all.
        session.messages.append(Message("user", "Hello"))
    session.preferences.base.extend(base)
    asked: list[Question] = []
    # Where no row meets the base, no answer changes anything.
    able = not base or bool(catalog.count([catalog.bind(constraint) for constraint in base]))
    while able and (question := session.next_question()) is not None:
        asked.append(question)
        understood = _heard(session, answer(question, False), said)
        if not understood and session.ended is None:
            session.ask_again(question)
            _heard(session, answer(question, True), said)
    stopped_by = _why(session, questions, len(asked))
    proposal = session.propose() if session.preferences.known else None
    wishes = tuple(
        SavedWish(wish, said.get(wish.column or "", "")) for wish in session.preferences.soft
    )
    return Elicited(tuple(asked), stopped_by, wishes, proposal)


def _heard(session: Session, text: str, said: dict[str, str]) -> bool:
    """Hear a turn, keep the words behind each wish, and return whether anything was taken."""
    heard = session.hear(text)
    for found in heard.constraints:
        if found.constraint.column is not None:
            content = session.messages[found.evidence.message].content
            said[found.constraint.column] = _words_of(found.constraint, found.evidence, content)
    waived = any(str(act) == "dont_care" for act in heard.acts)
    return bool(heard.constraints or heard.objectives or heard.leanings or waived)


def _words_of(constraint: Constraint, evidence: Span, content: str) -> str:
    """Return the words that say a constraint; of several values, from the first to the last."""
    start, end = evidence.start, evidence.end
    values = constraint.value if isinstance(constraint.value, tuple) else ()
    for value in values if constraint.op in ("in", "contains any") else ():
        if found := re.search(re.escape(str(value)), content, re.IGNORECASE):
            start, end = min(start, found.start()), max(end, found.end())
    return content[start:end]


def _why(session: Session, questions: int, asked: int) -> str:
    if asked >= questions:
        return "questions"
    return "gain" if session.open_slots else "columns"
