"""A conversation that ends in an offer: wishes heard, conflicts shown, relaxations proposed.

    session = Session(catalog)
    session.hear("I am looking for a Lexus sedan")
    while question := session.next_question():
        session.hear(input(question.text))
    proposal = session.propose()
    proposal = session.refuse()          # anything but that: it never gives way again

The same object serves a person at a terminal, a service and a benchmark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from ...catalogs.errors import QueryError, excerpt
from ...catalogs.query.constraint import Constraint, words
from ...catalogs.query.query import Query
from ...catalogs.versions.reader import CatalogReader
from ...engine.answer import Answer, Rank, Status
from ...engine.policies import DEFAULT_POLICY
from ...engine.repair_engine import RepairEngine
from ...solvers.limits import DEFAULT_DEADLINE
from ..transcripts.transcript import Message, Span, Transcript
from ..weighters.weighter import Weighing, Weighter, get_weighter
from .agents import OfflineAgent, open_slots
from .preferences import Preferences
from .roles import Agent, Question, RolePlayer

if TYPE_CHECKING:
    from ..extraction.extracted import Extraction, Extractor

DEFAULT_WEIGHTER = "learned"
MAX_QUESTIONS = 8
"""Questions asked before something is proposed, unless told otherwise."""

MAX_TURNS = 200
"""The most messages of one conversation."""


class Saved(Protocol):
    """Where events go (`EpisodeWriter.write`)."""

    def __call__(self, kind: str, /, **fields: Any) -> None: ...


def unsaved(kind: str, /, **fields: Any) -> None:
    """Keep nothing."""


@dataclass(frozen=True)
class Proposal:
    """What is offered now: the query asked, the engine's answer to it, and what would give way.

    `relaxed` are positions in `query.constraints`; empty where nothing has to give way, and
    where nothing can.
    """

    query: Query
    answer: Answer
    relaxed: tuple[int, ...] = ()

    @property
    def is_offer(self) -> bool:
        """Whether there is something to accept."""
        return bool(self.answer.items)

    def record(self) -> dict[str, Any]:
        """Return the proposal as a JSON object."""
        written = self.answer.record()
        return {
            "status": written["status"],
            "relaxed": [constraint.record() for constraint in self.answer.relaxed],
            "conflicts": written["conflicts"],
            "explanation": written["explanation"],
            "items": [item["row"] for item in written["items"]],
            "sql": written["sql"],
        }


@dataclass
class Session:
    """One conversation with one person over one catalog.

    Raises `QueryError` where it is used out of turn, and whatever the model behind a role
    raises. Everything that happens is handed to `save`.
    """

    catalog: CatalogReader
    agent: Agent | None = None
    extractor: Extractor | None = None
    weighter: Weighter | str = DEFAULT_WEIGHTER
    policy: str = DEFAULT_POLICY
    rank: Rank | None = None
    top: int = 5
    slots: Sequence[str] | None = None
    max_questions: int = MAX_QUESTIONS
    deadline: float | None = DEFAULT_DEADLINE
    save: Saved = unsaved
    preferences: Preferences = field(default_factory=Preferences)
    messages: list[Message] = field(default_factory=list[Message])
    proposal: Proposal | None = None
    weighing: Weighing | None = None
    accepted: dict[str, Any] | None = None
    ended: str | None = None

    def __post_init__(self) -> None:
        from ..extraction.offline import OfflineExtractor

        self._engine = RepairEngine(self.catalog)
        self._agent: Agent = self.agent or OfflineAgent(self.catalog)
        self._extractor: Extractor = self.extractor or OfflineExtractor()
        self._weighter = (
            get_weighter(self.weighter) if isinstance(self.weighter, str) else self.weighter
        )
        self._asked_slots: list[str] = []
        self._question: Question | None = None
        self._stated_weights: dict[str, float] = {}

    @property
    def transcript(self) -> Transcript:
        """All that was said."""
        return Transcript(tuple(self.messages))

    @property
    def wishes(self) -> Preferences:
        """The preferences, by their former name."""
        return self.preferences

    @property
    def query(self) -> Query:
        """The query as it is understood now."""
        return Query(base=tuple(self.preferences.base), constraints=tuple(self.preferences.soft))

    @property
    def weighter_name(self) -> str:
        """The name of the weighter."""
        return self._weighter.name

    @property
    def open_slots(self) -> tuple[str, ...]:
        """The slots nothing is known about yet and nobody was asked about."""
        known = self.preferences.known
        slots = open_slots(self.catalog, known) if self.slots is None else self.slots
        closed = {*self._asked_slots, *(constraint.column for constraint in known)}
        return tuple(slot for slot in slots if slot not in closed)

    def hear(self, text: str) -> Extraction:
        """Take in what the person says and return what was understood of it.

        The first text says what is looked for: the values it names exactly become the base
        slice. What follows may give way. Raises `QueryError` beyond `MAX_TURNS` messages.
        """
        first = not any(message.role == "user" for message in self.messages)
        question, latest = self._question, Message("user", text)
        exchange = [*self.messages[-1:], latest] if question else [latest]
        slot = question.slot if question else None
        extraction = self._extractor.extract(Transcript.of(exchange), self.catalog, slot=slot)
        extraction = _placed(extraction, len(self.messages) + 1 - len(exchange))
        self._say(latest)
        constraints = [extracted.constraint for extracted in extraction.constraints]
        if first:
            self._open(constraints)
        else:
            # An answer to one question does not change what is looked for by the way.
            fixed = self.preferences.base if question else ()
            closed = {constraint.column for constraint in fixed} - {slot}
            self.preferences.add(part for part in constraints if part.column not in closed)
        for column in extraction.waived:
            self.preferences.waive(column)
        self._question = None
        self.save("understood", **extraction.record())
        return extraction

    def _open(self, constraints: Sequence[Constraint]) -> None:
        """Take the first text in; exact values that some row has together are the base."""
        exact = [part for part in constraints if part.op == "==" and not self._ordered(part)]
        if exact and not self.catalog.count(list(map(self.catalog.bind, exact))):
            exact = []
        self.preferences.base = exact
        self.preferences.add(part for part in constraints if part not in exact)

    def _ordered(self, constraint: Constraint) -> bool:
        return constraint.column is not None and self.catalog.schema.find(constraint.column).ordered

    def next_question(self) -> Question | None:
        """Return the next question, now part of the conversation; None when enough was asked."""
        if len(self._asked_slots) >= self.max_questions or self.ended:
            return None
        slots = self.open_slots
        if not slots:
            return None
        question = self._agent.ask(self.transcript, self.preferences.known, slots)
        if question is None:
            return None
        self._asked_slots.append(question.slot)
        self._say(Message("assistant", question.text))
        self._question = question
        return question

    def propose(self) -> Proposal:
        """Weigh the wishes, repair the query, and return what to offer.

        Raises `QueryError` where no wish is known yet.
        """
        if not self.preferences.known:
            raise QueryError("nothing is asked yet", hint="say what you are looking for")
        self._weigh()
        query = self.query
        answer = self._engine.repair(
            query, policy=self.policy, rank=self.rank, top=self.top, deadline=self.deadline
        )
        self.proposal = Proposal(query, answer, _relaxed(query, answer))
        self.save("proposed", **self.proposal.record())
        return self.proposal

    def _weigh(self) -> None:
        if not self.preferences.soft:
            return
        self.weighing = self._weighter.weigh(self.transcript, self.preferences.soft)
        weights = [
            self._stated_weights.get(_key(part.constraint), part.weight) for part in self.weighing
        ]
        self.preferences.weigh(weights)
        self.save("weighed", **self.weighing.record())

    def refuse(self, positions: Iterable[int] | None = None) -> Proposal:
        """Let what the proposal relaxes (or the wishes named) never give way; propose again.

        Raises `QueryError` without a proposal, for a wish that is not there, and where the
        proposal relaxes nothing and no wish is named.
        """
        chosen = tuple(self._proposed().relaxed if positions is None else positions)
        self._check(chosen)
        if not chosen:
            raise QueryError("nothing gives way here", hint="name the wish that must stay")
        self.preferences.harden(chosen)
        self.save("refused", positions=list(chosen))
        return self.propose()

    def reweigh(self, weights: dict[int, float]) -> Proposal:
        """Set the weights of some wishes, whatever was said before, and propose again.

        Raises `QueryError` for a wish that is not there, `BadConstraint` for a weight
        outside [0, 1].
        """
        self._check(weights)
        self.preferences.weigh([weights.get(at) for at in range(len(self.preferences.soft))])
        for at, weight in weights.items():
            self._stated_weights[_key(self.preferences.soft[at])] = weight
        self.save("reweighed", weights={str(at): weight for at, weight in weights.items()})
        return self.propose()

    def accept(self, place: int = 0) -> dict[str, Any]:
        """Take the item at a place of the proposal, and end; return its row.

        Raises `QueryError` without a proposal, or for an item that is not in it.
        """
        items = self._proposed().answer.items
        if not 0 <= place < len(items):
            raise QueryError(f"no item {place + 1}", hint=f"there are {len(items)}")
        self.accepted = self._proposed().record()["items"][place]
        self.save("accepted", item=self.accepted, place=place)
        self.end("accepted")
        return items[place].row

    def end(self, reason: str) -> None:
        """End the conversation; ending again changes nothing."""
        if self.ended is None:
            self.ended = reason
            self.save("end", reason=reason)

    def say(self, text: str) -> None:
        """Add what the assistant tells the person."""
        self._say(Message("assistant", text))

    def _say(self, message: Message) -> None:
        if len(self.messages) >= MAX_TURNS:
            raise QueryError(f"more than {MAX_TURNS} messages", hint="begin a new conversation")
        self.messages.append(message)
        self.save("message", role=message.role, content=message.content)

    def _proposed(self) -> Proposal:
        if self.proposal is None:
            raise QueryError("nothing is proposed yet", hint="propose first")
        return self.proposal

    def _check(self, positions: Iterable[int]) -> None:
        for at in positions:
            if not 0 <= at < len(self.preferences.soft):
                listed = ", ".join(map(words, self.preferences.soft)) or "none"
                raise QueryError(f"no wish {excerpt(at)}", hint=f"wishes: {listed}")


def _placed(extraction: Extraction, before: int) -> Extraction:
    """Return what was found with messages counted from the start of the conversation."""

    def placed(span: Span) -> Span:
        return replace(span, message=span.message + before)

    return replace(
        extraction,
        constraints=tuple(
            replace(extracted, evidence=placed(extracted.evidence))
            for extracted in extraction.constraints
        ),
        unresolved=tuple(
            replace(statement, evidence=placed(statement.evidence))
            for statement in extraction.unresolved
        ),
    )


def _key(constraint: Constraint) -> str:
    return f"{constraint.column} {constraint.op} {constraint.value}"


def _relaxed(query: Query, answer: Answer) -> tuple[int, ...]:
    """Return the positions that give way: dropped, or with a bound that moves."""
    if answer.status is not Status.SAT_AFTER_RELAXATION or not answer.repairs:
        return ()
    return answer.repairs[0].changed


def interview(session: Session, player: RolePlayer, opening: str) -> Proposal:
    """Return the proposal at the end of a conversation.

    The opening is heard, every question the agent asks is answered by the player, and what
    was understood is proposed. Raises what session and player raise.
    """
    session.hear(opening)
    while (question := session.next_question()) is not None:
        session.hear(player.answer(question, session.transcript))
    return session.propose()
