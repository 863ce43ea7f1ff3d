"""Conversations of a session with a persona, played offline or by a model, and their outcomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...catalogs.catalog import Catalog
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...dialogs.conversation.agents import LLMAgent, OfflineAgent
from ...dialogs.conversation.roles import Agent, Question, RolePlayer
from ...dialogs.conversation.session import Saved, Session, unsaved
from ...dialogs.conversation.simulators import LLMRolePlayer, OfflineRolePlayer, phrase_of
from ...dialogs.formal.aware import FormalRun, formal_aware
from ...dialogs.formal.hao import formal_hao
from ...dialogs.formal.llm import LLMChooser, LLMJudge, LLMPlanner
from ...dialogs.models.chat_model import ChatModel
from ...dialogs.transcripts.transcript import Transcript
from ...dialogs.weighters.llm import asking
from ...dialogs.weighters.weighter import Weighter
from .gold import Gold, constraint_key, setting_of
from .outcome import Outcome, answered_outcome

Runs = Callable[[Catalog, Query, Gold, ChatModel | None, str], FormalRun]


def _aware(
    catalog: Catalog, query: Query, gold: Gold, model: ChatModel | None, episode: str
) -> FormalRun:
    return formal_aware(catalog, query, LLMChooser(model, episode) if model else None)


def _hao(
    catalog: Catalog, query: Query, gold: Gold, model: ChatModel | None, episode: str
) -> FormalRun:
    if model is None:
        return formal_hao(catalog, _as_meant(query, gold))
    judge = LLMJudge(model, gold.persona or "", episode)
    return formal_hao(catalog, query, LLMPlanner(model, episode), judge)


def _as_meant(query: Query, gold: Gold) -> Query:
    """Return the query with the weights that the person has in mind, who agrees by them."""
    meant = {constraint.column: constraint.weight for constraint in gold.constraints}
    weighed = [
        constraint.model_copy(update={"weight": meant.get(constraint.column)})
        for constraint in query.constraints
    ]
    return query.model_copy(update={"constraints": tuple(weighed)})


FORMAL: dict[str, Runs] = {"formal-aware": _aware, "formal-hao": _hao}
"""Baselines by name. Without a model the cheapest edit is taken (formal-aware), or suggested
to a person who agrees where nothing in the conflict matters less (formal-hao)."""


SESSION = "session"
"""The method that is ours: what was understood is weighed, repaired and ranked."""


@dataclass(frozen=True)
class Components:
    """Our side of a conversation; with a model, it plays every part but the solver's.

    `method` is what answers at the end: the `session` that listened, or a solver-style
    baseline (`FORMAL`) on what it understood. `weighter` and `policy` are the session's.
    """

    catalog: Catalog
    weighter: Weighter
    policy: str
    model: ChatModel | None = None
    method: str = SESSION


def converse(
    components: Components, gold: Gold, *, seed: int = 0, episode: str = "", save: Saved = unsaved
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
    session, player = _cast(components, gold.persona, slots, episode, in_order=seed > 0)
    session.save = save
    read = run_dialogue(session, player, opening_of(gold, components.catalog), gold, slots)
    labels = setting_of(gold)
    if components.method == SESSION:
        return session_outcome(session, gold, slots, labels, read)
    baseline = FORMAL[components.method]
    formal = baseline(components.catalog, session.query, gold, components.model, episode)
    save("formal", **formal.record())
    return _formal_outcome(formal, session, gold, slots, labels, read)


def _shuffled(slots: tuple[str, ...], seed: int) -> tuple[str, ...]:
    order = list(slots)
    if seed:
        Random(seed).shuffle(order)
    return tuple(order)


@dataclass(frozen=True)
class FixedOrderAgent:
    """Asks as another agent does, but always about the first slot that is open."""

    agent: Agent

    def ask(
        self, transcript: Transcript, known: Sequence[Constraint], slots: Sequence[str]
    ) -> Question | None:
        """See `Agent.ask`."""
        return self.agent.ask(transcript, known, slots[:1])


def _cast(
    components: Components, persona: str, slots: tuple[str, ...], episode: str, *, in_order: bool
) -> tuple[Session, RolePlayer]:
    """Return the session and who answers it: both offline, or both a model's."""
    fields: dict[str, Any] = {}
    if in_order:
        fields["agent"] = FixedOrderAgent(OfflineAgent(components.catalog))
    player: RolePlayer = OfflineRolePlayer(persona, components.catalog)
    if components.model is not None:
        from ...dialogs.extraction.llm import LLMExtractor

        fields["agent"] = LLMAgent(components.model, episode)
        fields["extractor"] = LLMExtractor(components.model, episode)
        player = LLMRolePlayer(components.model, persona, episode)
    session = Session(
        components.catalog,
        weighter=asking(components.weighter, components.model, episode),
        policy=components.policy,
        rank="score",
        slots=slots,
        max_questions=len(slots),
        top=1,
        **fields,
    )
    return session, player


def run_dialogue(
    session: Session, player: RolePlayer, opening: str, gold: Gold, slots: tuple[str, ...]
) -> bool:
    """Hold the conversation; return whether the base slice was read off the opening.

    The base is part of the task, not of the dialogue: all published runs have it right. What
    is understood beyond the slots is set aside, as the published agents fill slots only.
    """
    session.hear(opening)
    base = gold.query(session.catalog).base
    read = {constraint_key(constraint) for constraint in session.preferences.base} == {
        constraint_key(constraint) for constraint in base
    }
    session.preferences.base = list(base)
    _keep_slots(session, slots)
    while (question := session.next_question()) is not None:
        session.hear(player.answer(question, session.transcript))
        _keep_slots(session, slots)
    return read


def _keep_slots(session: Session, slots: Sequence[str]) -> None:
    session.preferences.soft = [
        constraint for constraint in session.preferences.soft if constraint.column in slots
    ]


def session_outcome(
    session: Session, gold: Gold, slots: tuple[str, ...], labels: Mapping[str, str], read: bool
) -> Outcome:
    """Return the outcome of what the session itself proposes."""
    proposal = session.propose()
    query, answer = proposal.query, proposal.answer
    return answered_outcome(
        gold, slots, query, answer, asked_of(session), labels, opening_read=read
    )


def _formal_outcome(
    formal: FormalRun,
    session: Session,
    gold: Gold,
    slots: tuple[str, ...],
    labels: Mapping[str, str],
    read: bool,
) -> Outcome:
    """Return the outcome of a baseline: the first repair counts, as what it makes of its one."""
    edit = formal.relaxed
    gone = () if edit is None else (constraint_key(edit.to or edit.before),)
    constraints = session.query.constraints
    count = asked_of(session)
    return Outcome(
        gold, slots, constraints, formal.status, gone, formal.recommended, count, labels, read
    )


def asked_of(session: Session) -> int:
    """Return how many questions were asked."""
    return sum(message.role == "assistant" for message in session.messages)


def opening_of(gold: Gold, catalog: Catalog) -> str:
    """Return the sentence that says what is looked for, ours where the record has none."""
    if gold.opening:
        return gold.opening
    phrases = [phrase_of(constraint) for constraint in gold.query(catalog).base]
    return f"I am looking for something with {' and '.join(phrases) or 'what I need'}."
