"""Whole conversations with our own parts: over a recorded dialogue, or with a persona."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ...catalogs.catalog import Catalog
from ...catalogs.constraint import Constraint
from ...dialogs.extraction.questions import asked_columns
from ...dialogs.extraction.value_index import index_of
from ...dialogs.offline_persona_writer import phrase_of
from ...dialogs.offline_role_player import OfflineRolePlayer
from ...dialogs.roles import Question, RolePlayer
from ...dialogs.session import Session
from ...dialogs.transcript import Transcript
from ...dialogs.weighters.weighter import Weighter
from .gold import Gold, asked
from .outcome import Outcome, labels_of, proposed
from .published_data import Recorded
from .runs import Said

NO_SLOT = ""
"""The slot of a question that does not tell what it asks about."""


@dataclass(frozen=True)
class Parts:
    """Our side of a conversation."""

    catalog: Catalog
    weighter: Weighter
    policy: str


def reread(parts: Parts, recorded: Recorded) -> Outcome:
    """Return how a recorded dialogue ends with our extraction, weighter and engine.

    Raises `ValueError` for a run whose dialogue is withheld.
    """
    if recorded.run.dialogue is None:
        raise ValueError("a dialogue that is withheld cannot be read")
    slots = tuple(recorded.run.slots_provided_to_agent)
    opening, exchanges = _exchanges(recorded.run.dialogue)
    script = Script(parts.catalog, slots, exchanges)
    session = _Scripted(
        parts.catalog,
        agent=script,
        weighter=parts.weighter,
        policy=parts.policy,
        max_questions=len(exchanges),
        top=1,
    )
    opening = opening or recorded.run.base_query_sentence
    return _held(session, script, opening, recorded.gold, slots, labels_of(recorded))


def offline(parts: Parts, gold: Gold) -> Outcome:
    """Return how a conversation with a persona ends: our agent, role-player, all the rest.

    The slots are the columns of the instance's constraints, as the published agents were
    given them. Raises `ValueError` for an instance whose persona is withheld.
    """
    if gold.persona is None:
        raise ValueError("a persona that is withheld cannot be played")
    session = Session(
        parts.catalog,
        weighter=parts.weighter,
        policy=parts.policy,
        slots=gold.slots,
        max_questions=len(gold.slots),
        top=1,
    )
    player = OfflineRolePlayer(gold.persona, parts.catalog)
    labels = {"setting": gold.setting} if gold.setting else {}
    return _held(session, player, opening_of(gold, parts.catalog), gold, gold.slots, labels)


def _held(
    session: Session,
    player: RolePlayer,
    opening: str,
    gold: Gold,
    slots: tuple[str, ...],
    labels: Mapping[str, str],
) -> Outcome:
    """Hold the conversation and return how it ends.

    The base is part of the task, not of the dialogue: all published runs have it right. What
    is understood beyond the slots is set aside, as the published agents fill slots only.
    """
    session.hear(opening)
    base = gold.query(session.catalog).base
    read = {asked(one) for one in session.wishes.base} == {asked(one) for one in base}
    session.wishes.base = list(base)
    _keep(session, slots)
    count = 0
    while (question := session.next_question()) is not None:
        session.hear(player.answer(question, session.transcript))
        _keep(session, slots)
        count += 1
    proposal = session.propose()
    return proposed(gold, slots, proposal.query, proposal.answer, count, labels, opening_read=read)


def _keep(session: Session, slots: Sequence[str]) -> None:
    session.wishes.soft = [one for one in session.wishes.soft if one.column in slots]


def opening_of(gold: Gold, catalog: Catalog) -> str:
    """Return the sentence that says what is looked for, ours where the record has none."""
    if gold.opening:
        return gold.opening
    phrases = [phrase_of(one) for one in gold.query(catalog).base]
    return f"I am looking for something with {' and '.join(phrases) or 'what I need'}."


@dataclass
class Script:
    """Asks and answers what was asked and answered in a recorded dialogue, in its order."""

    catalog: Catalog
    slots: Sequence[str]
    exchanges: Sequence[tuple[str, str]]
    place: int = 0
    named: list[str] = field(default_factory=list[str])

    def ask(
        self, transcript: Transcript, known: Sequence[Constraint], slots: Sequence[str]
    ) -> Question | None:
        """See `Agent.ask`: the next recorded question, whatever is known by now."""
        if self.place == len(self.exchanges):
            return None
        text = self.exchanges[self.place][0]
        self.place += 1
        slot = self._slot(text)
        self.named.append(slot)
        return Question(slot, text)

    def answer(self, question: Question, transcript: Transcript) -> str:
        """See `RolePlayer.answer`: what was answered to the question asked last."""
        return self.exchanges[self.place - 1][1]

    def _slot(self, question: str) -> str:
        """Return which slot a question is about, of equals one not asked about yet."""
        told = asked_columns(question, index_of(self.catalog))
        among = [slot for slot in self.slots if slot in told]
        rank = {slot: (told[slot], slot not in self.named) for slot in among}
        return max(among, key=lambda slot: rank[slot], default=NO_SLOT)


class _Scripted(Session):
    """A session in which a recorded question is asked even if its answer is known by then."""

    @property
    def open_slots(self) -> tuple[str, ...]:
        """Never empty: the script ends by itself."""
        return (NO_SLOT,)


def _exchanges(dialogue: Sequence[Said]) -> tuple[str, list[tuple[str, str]]]:
    """Return what the person opens with, and each question with its answer."""
    opening = dialogue[0].content if dialogue and dialogue[0].role == "user" else ""
    return opening, list(_answered(dialogue))


def _answered(dialogue: Sequence[Said]) -> Iterator[tuple[str, str]]:
    for before, after in pairwise(dialogue):
        if before.role == "assistant" and after.role == "user":
            yield before.content, after.content
