"""Whole conversations with our own parts: over a recorded dialogue, or with a persona."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

from ...catalogs.catalog import Catalog
from ...catalogs.constraint import Constraint
from ...dialogs.extraction.questions import asked_columns
from ...dialogs.extraction.value_index import index_of
from ...dialogs.formal.aware import FormalRun
from ...dialogs.models.chat_model import ChatModel
from ...dialogs.offline_agent import OfflineAgent
from ...dialogs.offline_persona_writer import phrase_of
from ...dialogs.offline_role_player import OfflineRolePlayer
from ...dialogs.roles import Agent, Question, RolePlayer
from ...dialogs.session import Saved, Session, unsaved
from ...dialogs.transcript import Transcript
from ...dialogs.weighters.llm import asking
from ...dialogs.weighters.weighter import Weighter
from .formal_methods import run_formal
from .gold import Gold, asked, setting_of
from .outcome import Outcome, labels_of, proposed
from .published_data import Recorded
from .runs import Said

SESSION = "session"
"""The method that is ours: what was understood is weighed, repaired and ranked."""

NO_SLOT = ""
"""The slot of a question that does not tell what it asks about."""


@dataclass(frozen=True)
class Parts:
    """Our side of a conversation; with a model, it plays every part but the solver's.

    `method` is what answers at the end: the `session` that listened, or a solver-style
    baseline (`FORMAL`) on what it understood. `weighter` and `policy` are the session's.
    """

    catalog: Catalog
    weighter: Weighter
    policy: str
    model: ChatModel | None = None
    method: str = SESSION


def reread(parts: Parts, recorded: Recorded, save: Saved = unsaved) -> Outcome:
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
        save=save,
    )
    opening = opening or recorded.run.base_query_sentence
    read = _listen(session, script, opening, recorded.gold, slots)
    return _offered(session, recorded.gold, slots, labels_of(recorded), read)


def converse(
    parts: Parts, gold: Gold, *, seed: int = 0, episode: str = "", save: Saved = unsaved
) -> Outcome:
    """Return how a conversation with a persona ends.

    The slots are the columns of the instance's constraints, as the published agents were
    given them; for seed 0 the agent chooses what to ask first, else they are asked in an order
    drawn by the seed. A model is asked under the name `episode`. Raises `ValueError` for an
    instance whose persona is withheld, and the `ModelError` of a model that gives no usable
    reply.
    """
    if gold.persona is None:
        raise ValueError("a persona that is withheld cannot be played")
    slots = _shuffled(gold.slots, seed)
    session, player = _cast(parts, gold.persona, slots, episode, in_order=seed > 0)
    session.save = save
    read = _listen(session, player, opening_of(gold, parts.catalog), gold, slots)
    labels = setting_of(gold)
    if parts.method == SESSION:
        return _offered(session, gold, slots, labels, read)
    found = run_formal(parts.method, parts.catalog, session.query, gold, parts.model, episode)
    save("formal", **found.record())
    return _repaired(found, session, gold, slots, labels, read)


def _shuffled(slots: tuple[str, ...], seed: int) -> tuple[str, ...]:
    order = list(slots)
    if seed:
        Random(seed).shuffle(order)
    return tuple(order)


@dataclass(frozen=True)
class InOrder:
    """Asks as another agent does, but always about the first slot that is open."""

    agent: Agent

    def ask(
        self, transcript: Transcript, known: Sequence[Constraint], slots: Sequence[str]
    ) -> Question | None:
        """See `Agent.ask`."""
        return self.agent.ask(transcript, known, slots[:1])


def _cast(
    parts: Parts, persona: str, slots: tuple[str, ...], episode: str, *, in_order: bool
) -> tuple[Session, RolePlayer]:
    """Return the session and who answers it: both offline, or both a model's."""
    fields: dict[str, Any] = {}
    if in_order:
        fields["agent"] = InOrder(OfflineAgent(parts.catalog))
    player: RolePlayer = OfflineRolePlayer(persona, parts.catalog)
    if parts.model is not None:
        from ...dialogs.extraction import LLMExtractor
        from ...dialogs.llm_roles import LLMAgent, LLMRolePlayer

        fields["agent"] = LLMAgent(parts.model, episode)
        fields["extractor"] = LLMExtractor(parts.model, episode)
        player = LLMRolePlayer(parts.model, persona, episode)
    session = Session(
        parts.catalog,
        weighter=asking(parts.weighter, parts.model, episode),
        policy=parts.policy,
        slots=slots,
        max_questions=len(slots),
        top=1,
        **fields,
    )
    return session, player


def _listen(
    session: Session, player: RolePlayer, opening: str, gold: Gold, slots: tuple[str, ...]
) -> bool:
    """Hold the conversation; return whether the base slice was read off the opening.

    The base is part of the task, not of the dialogue: all published runs have it right. What
    is understood beyond the slots is set aside, as the published agents fill slots only.
    """
    session.hear(opening)
    base = gold.query(session.catalog).base
    read = {asked(one) for one in session.wishes.base} == {asked(one) for one in base}
    session.wishes.base = list(base)
    _keep(session, slots)
    while (question := session.next_question()) is not None:
        session.hear(player.answer(question, session.transcript))
        _keep(session, slots)
    return read


def _keep(session: Session, slots: Sequence[str]) -> None:
    session.wishes.soft = [one for one in session.wishes.soft if one.column in slots]


def _offered(
    session: Session,
    gold: Gold,
    slots: tuple[str, ...],
    labels: Mapping[str, str],
    read: bool,
) -> Outcome:
    """Return the outcome of what the session itself proposes."""
    proposal = session.propose()
    query, answer = proposal.query, proposal.answer
    return proposed(gold, slots, query, answer, asked_of(session), labels, opening_read=read)


def _repaired(
    found: FormalRun,
    session: Session,
    gold: Gold,
    slots: tuple[str, ...],
    labels: Mapping[str, str],
    read: bool,
) -> Outcome:
    """Return the outcome of a baseline: the first repair counts, as what it makes of its one."""
    edit = found.relaxed
    gone = () if edit is None else (asked(edit.to or edit.before),)
    constraints = session.query.constraints
    count = asked_of(session)
    return Outcome(
        gold, slots, constraints, found.status, gone, found.recommended, count, labels, read
    )


def asked_of(session: Session) -> int:
    """Return how many questions were asked."""
    return sum(one.role == "assistant" for one in session.messages)


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
