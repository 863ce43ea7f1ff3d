"""The state of a conversation and the steps that change it: propose, refuse, weigh, accept, undo.

Everything a step changes is kept in a frozen `State` before it, so that undoing puts it back; a
state is some dozens of references.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ...catalogs.errors import QueryError, excerpt
from ...catalogs.json_values import Row
from ...catalogs.query.constraint import NEUTRAL_WEIGHT, Constraint, Objective, words
from ...catalogs.query.query import Query
from ...catalogs.versions.reader import CatalogReader
from ...catalogs.versions.sorted_rows import SortKey
from ...engine.answer import Answer, Item, Rank
from ...engine.policies import DEFAULT_POLICY
from ...engine.repair_engine import RepairEngine
from ...solvers.limits import DEFAULT_DEADLINE
from ..extraction.extracted import Extractor
from ..language.sums import topic_of
from ..language.wording import Wording
from ..transcripts.transcript import Message, Transcript
from ..weighters.weighter import Weighing, Weighter, get_weighter
from .agents import OfflineAgent, open_slots
from .clarifying import Doubt
from .preferences import Preferences
from .proposal import Proposal, by_goals, relaxed
from .refused_items import another, first_left, refused_last
from .roles import Agent, Question
from .saving import Saved, unsaved
from .state import State

DEFAULT_WEIGHTER = "learned"
MAX_QUESTIONS = 8
"""Questions asked before something is proposed, unless told otherwise."""

MAX_TURNS = 1_000
"""The most messages of one conversation."""

MAX_UNDONE = 100
"""Steps that can be taken back."""


@dataclass
class Negotiation:
    """One conversation with one person over one catalog, by its steps.

    `clarifying`: at most so many questions about what is unclear in what was said.
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
    clarifying: int = 0
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
        self.wording = Wording(self.catalog)
        self._agent: Agent = self.agent or OfflineAgent(self.catalog)
        self._extractor: Extractor = self.extractor or OfflineExtractor()
        self._weighter = (
            get_weighter(self.weighter) if isinstance(self.weighter, str) else self.weighter
        )
        self._asked_slots: list[str] = []
        self._question: Question | None = None
        self._next: Question | None = None
        self._stated_weights: dict[str, float] = {}
        self._past: list[State] = []
        self._unweighed: set[int] = set()
        # What is unclear and not asked yet, what is asked now, and how often that was done.
        self._doubts: list[Doubt] = []
        self._doubt: Doubt | None = None
        self._clarified: int = 0
        # The item offered now, and the wishes of which it is unclear whether they must stay.
        self.place = 0
        # All that is taken, in its order, how many of which row, and what is kept in mind.
        self.basket: tuple[Item, ...] = ()
        self.numbers: Mapping[int, int] = {}
        self.shortlist: tuple[Item, ...] = ()
        self.doubtful: tuple[int, ...] = ()
        # Row ids of items that were refused, which are offered only where nothing else is.
        self.passed: frozenset[int] = frozenset()

    @property
    def transcript(self) -> Transcript:
        """All that was said."""
        return Transcript(tuple(self.messages))

    @property
    def query(self) -> Query:
        """The query as it is understood now."""
        wishes = self.preferences
        return Query(
            base=tuple(wishes.base),
            constraints=tuple(wishes.soft),
            objectives=tuple(wishes.objectives),
        )

    @property
    def weighter_name(self) -> str:
        """The name of the weighter."""
        return self._weighter.name

    @property
    def question(self) -> Question | None:
        """The question that was asked last and is not answered yet."""
        return self._question

    @property
    def open_slots(self) -> tuple[str, ...]:
        """The slots nothing is known about yet and nobody was asked about."""
        known = self.preferences.known
        slots = open_slots(self.catalog, known) if self.slots is None else self.slots
        closed = {*self._asked_slots, *(constraint.column for constraint in known)}
        return tuple(slot for slot in slots if slot not in closed)

    @property
    def state(self) -> State:
        """All that a step may change, as it is now."""
        wishes = self.preferences
        return State(
            tuple(wishes.base),
            tuple(wishes.soft),
            tuple(wishes.objectives),
            tuple(self._stated_weights.items()),
            tuple(self._asked_slots),
            self.proposal,
            self.weighing,
            self.place,
            self.doubtful,
            self.accepted,
            self.ended,
            frozenset(wishes.refused),
            self.passed,
            self.basket,
            tuple(self.numbers.items()),
            self.shortlist,
            len(self.messages),
        )

    @property
    def taken(self) -> Item | None:
        """The item that was taken last, of those that are."""
        return self.basket[-1] if self.basket else None

    @property
    def set_aside(self) -> frozenset[int]:
        """The row ids of what was refused, and of what is taken, or kept in mind, already."""
        return self.passed | {item.row_id for item in (*self.basket, *self.shortlist)}

    @property
    def taken_rows(self) -> list[dict[str, Any]]:
        """All that is taken, as JSON objects."""
        return [item.model_dump(mode="json")["row"] for item in self.basket]

    @property
    def shortlist_rows(self) -> list[dict[str, Any]]:
        """What is kept in mind, as JSON objects."""
        return [item.model_dump(mode="json")["row"] for item in self.shortlist]

    @property
    def taken_numbers(self) -> list[int]:
        """How many of each row that is taken are."""
        return [self.numbers.get(item.row_id, 1) for item in self.basket]

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._past)

    def undo(self) -> bool:
        """Put back what the last step changed that did; what was said since is weighed no more."""
        if not self._past:
            return False
        past = self._past.pop()
        self._unweighed.update(range(past.messages, len(self.messages)))
        self.put_back(past)
        self.save("undone")
        return True

    def put_back(self, past: State) -> None:
        """Have all be as it was, but for what was said since."""
        wishes = self.preferences
        wishes.base, wishes.soft = list(past.base), list(past.soft)
        wishes.objectives, wishes.refused = list(past.objectives), set(past.refused)
        self._stated_weights = dict(past.weights)
        self._asked_slots = list(past.closed)
        self.proposal, self.weighing = past.proposal, past.weighing
        self.place, self.doubtful = past.place, past.doubtful
        self.accepted, self.basket = past.accepted, past.basket
        self.numbers, self.shortlist = dict(past.numbers), past.shortlist
        self.ended, self.passed = past.ended, past.passed
        self._question = self._next = None

    def _remember(self, before: State) -> None:
        """Keep the state before a step, if the step changed it."""
        if before != self.state:
            self._past = [*self._past[-MAX_UNDONE + 1 :], before]

    def propose(self) -> Proposal:
        """Weigh the wishes, repair the query, and return what to offer.

        Raises `QueryError` where no wish is known yet.
        """
        if not self.preferences.known and not self.preferences.objectives:
            raise QueryError("nothing is asked yet", hint="say what you are looking for")
        self._weigh()
        query, sort = self.query, list[SortKey]()
        if self.rank is None and query.objectives and self.count(self.preferences.known):
            # Where all is met, the cheapest is the cheapest.
            sort = by_goals(query.objectives, self.catalog.cost_column)
        answer = another(partial(self.repaired, sort=sort), query, self.set_aside, self.top)
        return self._put_forward(query, answer, sort)

    def propose_instead(self, query: Query, sort: Sequence[SortKey] = ()) -> Proposal | None:
        """Offer what answers another query than what is understood; None where nothing does.

        The wishes that may give way come first in it, in their order. They stay as they are.
        """
        answer = self.repaired(query, self.top + len(self.passed), sort)
        if not answer.items:
            return None
        self.accepted = self.ended = None
        return self._put_forward(query, answer, sort)

    def count(self, wishes: Iterable[Constraint]) -> int:
        """Return how many rows meet all these wishes."""
        return self.catalog.count([self.catalog.bind(wish) for wish in wishes])

    @property
    def offered(self) -> Item | None:
        """The item that is offered now."""
        offers = self.proposal is not None and self.proposal.is_offer
        items = self.proposal.answer.items if self.proposal is not None and offers else ()
        return items[self.place] if self.place < len(items) else None

    def _put_forward(self, query: Query, answer: Answer, sort: Sequence[SortKey]) -> Proposal:
        answer = refused_last(answer, self.passed, self.top)
        self.proposal = Proposal(query, answer, relaxed(answer), tuple(sort))
        self.place, self.doubtful, self._question = first_left(answer, self.set_aside), (), None
        self.save("proposed", **self.proposal.record())
        return self.proposal

    def ask_next(self, question: Question) -> None:
        """Have this question be the next, before any other and before an offer."""
        self._next = question

    def begin_anew(self) -> None:
        """Forget all that is wished, offered and asked, not what is taken; it can be taken back."""
        self.preferences = Preferences()
        self._stated_weights, self._asked_slots = {}, []
        self._unweighed.update(range(len(self.messages)))
        self.proposal, self.weighing, self.place, self.doubtful = None, None, 0, ()
        self.accepted = self.ended = self._next = None
        self.shortlist, self.passed = (), frozenset()

    def close_slots(self, slots: Iterable[str]) -> None:
        """Ask no question about these any more."""
        self._asked_slots += [slot for slot in slots if slot not in self._asked_slots]

    def repaired(
        self, query: Query, top: int | None = None, sort: Sequence[SortKey] = ()
    ) -> Answer:
        """Return the engine's answer to a query, which changes nothing here."""
        return self._engine.repair(
            query,
            policy=self.policy,
            rank=self.rank,
            top=top or self.top,
            sort=sort,
            deadline=self.deadline,
        )

    def _weigh(self) -> None:
        if not self.preferences.soft:
            return
        # What was taken back is not weighed, nor endless talk.
        said = self.transcript.without(self._unweighed)
        self.weighing = self._weighter.weigh(said, self.preferences.soft)
        weights = [
            self._stated_weights.get(_key(part.constraint), part.weight) for part in self.weighing
        ]
        self.preferences.weigh(weights)
        self.preferences.soften()
        self.save("weighed", **self.weighing.record())

    def refuse(self, positions: Iterable[int] | None = None) -> Proposal:
        """Let what the proposal relaxes (or the wishes named) never give way; propose again.

        Raises `QueryError` without a proposal, for no such wish, and where nothing is relaxed.
        """
        chosen = tuple(self._proposed().relaxed if positions is None else positions)
        self._check(chosen)
        if not chosen:
            raise QueryError("nothing gives way here", hint="name the wish that must stay")
        before = self.state
        self.preferences.harden(chosen)
        self.save("refused", positions=list(chosen))
        proposal = self.propose()
        self._remember(before)
        return proposal

    def forget(self, position: int) -> None:
        """Forget one of the wishes known, or of the objectives, which are counted on after them.

        What was proposed stays. Raises `QueryError` for a wish that is not there.
        """
        known, goals = self.preferences.known, self.preferences.objectives
        if not 0 <= position < len(known) + len(goals):
            raise QueryError(f"no wish {excerpt(position)}", hint=f"there are {len(known)}")
        before = self.state
        self.preferences.forget(known[position : position + 1])
        gone = goals[position - len(known)] if position >= len(known) else None
        self.preferences.objectives = [goal for goal in goals if goal is not gone]
        self.doubtful = ()
        self.save("forgotten", position=position)
        self._remember(before)

    def adopt(
        self,
        base: Iterable[Constraint],
        soft: Iterable[Constraint],
        objectives: Iterable[Objective],
    ) -> None:
        """Take over wishes that were set elsewhere than in words, as filters beside them are.

        They take the place of all that is known, and of what was proposed for it. A weight other
        than the one known, or than the neutral one, holds from then on, and what is hard stays so.
        """
        before, wishes = self.state, self.preferences
        known = {_key(wish): wish.importance for wish in wishes.soft}
        wishes.base, wishes.soft, wishes.objectives = list(base), list(soft), list(objectives)
        wishes.refused |= {topic_of(wish) for wish in wishes.soft if wish.hard}
        for wish in wishes.soft:
            if wish.importance != known.get(_key(wish), NEUTRAL_WEIGHT):
                self._stated_weights[_key(wish)] = wish.importance
        if before == self.state:
            return
        self.proposal, self.place, self.doubtful, self._next = None, 0, (), None
        self.accepted = self.ended = None
        self.save("adopted", constraints=[wish.record() for wish in wishes.known])
        self._remember(before)

    def reweigh(self, weights: dict[int, float]) -> Proposal:
        """Set the weights of some wishes, whatever was said before, and propose again.

        Raises `QueryError` for a wish that is not there, `BadConstraint` for no weight in [0, 1].
        """
        self._check(weights)
        before = self.state
        self.set_weights(weights)
        proposal = self.propose()
        self._remember(before)
        return proposal

    def set_weights(self, weights: Mapping[int, float]) -> None:
        """Set the weights of some wishes as a part of a step; see `reweigh`."""
        self.preferences.weigh([weights.get(at) for at in range(len(self.preferences.soft))])
        for at, weight in weights.items():
            self._stated_weights[_key(self.preferences.soft[at])] = weight
        self.save("reweighed", weights={str(at): weight for at, weight in weights.items()})

    def accept(self, place: int = 0) -> dict[str, Any]:
        """Take the item at a place of the proposal; return its row, or raise `QueryError`."""
        before = self.state
        row = self.take(place)
        self._remember(before)
        return row

    def take(self, place: int, *, beside: bool = False, number: int | None = None) -> Row:
        """Take so many of an item; see `accept`. Once it has ended, in place of all or `beside`."""
        beside |= self.accepted is None
        items = self._proposed().answer.items
        if not 0 <= place < len(items):
            raise QueryError(f"no item {place + 1}", hint=f"there are {len(items)}")
        self.place, item = place, items[place]
        others = (had for had in self.basket if beside and had.row_id != item.row_id)
        self.basket = (*others, item)
        number = number or self.numbers.get(item.row_id, 1)
        self.numbers = {**self.numbers, item.row_id: number}
        self._count_taken()
        self.accepted = self.taken_rows[-1]
        self.save("accepted", item=self.accepted, place=place, number=number)
        self.end("accepted")
        return item.row

    def give_back(self, those: Collection[Item]) -> None:
        """Take some items no longer; the conversation goes on."""
        self.basket = tuple(item for item in self.basket if item not in those)
        self._count_taken()
        self.accepted = self.ended = None

    def _count_taken(self) -> None:
        kept = {item.row_id for item in self.basket}
        self.numbers = {row: number for row, number in self.numbers.items() if row in kept}

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


def _key(constraint: Constraint) -> str:
    return f"{constraint.column} {constraint.op} {constraint.value}"
