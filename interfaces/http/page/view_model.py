"""The engine's answer to a search, as the page shows it: what gives way, and what else would help.

Asks the engine once, or twice where the visitor chose what is to give way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ....catalogs.deadline import Deadline
from ....catalogs.query.constraint import Constraint
from ....catalogs.query.place_values import PLACE_TESTS
from ....engine.answer import Answer, Change, Repair, Status
from ....engine.repair_engine import RepairEngine
from .constraints import Question, format_value
from .heard import Heard
from .places import place_value
from .query_string import POLICIES, Criterion, Kind, Search

ORDER = "diverse"

MUST_WAYS = 3
"""The most ways out of a dead end that are looked for."""

FIRST_PART = 0.5
"""The part of the time for what comes before the visitor's choice, so that the choice has some."""


@dataclass(frozen=True)
class Alternative:
    """Another way to something that matches: what changes, how many items, and its search.

    `count` is what was counted in time, unless `exact` at least so many items; `distance` how far
    bounds move in all, as shares of their ranges.
    """

    dropped: tuple[Criterion, ...]
    shifted: tuple[tuple[Criterion, Constraint], ...]
    count: int
    cost: float
    search: Search
    exact: bool = True
    distance: float = 0.0


@dataclass(frozen=True)
class Offers:
    """The links that lead to items, each tried.

    `kept` are the keys of what gave way and may be put back, `ways` other ways out in the order to
    show them, `meant` the values that may have been meant, by a criterion's key, and `sought` words
    that were not understood, with the search for items that hold them.
    """

    kept: frozenset[str] = frozenset()
    ways: tuple[Alternative, ...] = ()
    meant: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    sought: tuple[tuple[str, Search], ...] = ()


@dataclass(frozen=True)
class BesideTalk:
    """A conversation as it stands beside the result, with all that is shown of it.

    `messages` are the last ones, who said each first; `choices` answer the open question, each with
    how many items it leaves. `is_lost`: there is none of that id any more.
    """

    identity: str
    messages: tuple[tuple[str, str], ...] = ()
    earlier: int = 0
    choices: tuple[tuple[str, int], ...] = ()
    asks: bool = False
    knows: bool = False
    can_undo: bool = False
    is_lost: bool = False


@dataclass(frozen=True)
class Outcome:
    """The answer carried out, and the answer before the visitor chose among repairs.

    They are the same unless criteria were chosen to give way. `must_ways` are musts that would have
    to give way where nothing else helps, each counted; `heard`, what was said in words. `log_key`
    is the column that names items of `catalog` in a person's log, None where nothing is logged;
    `before_words` is the search without what was said, `talk` the conversation beside the result;
    `offers` are the links that were tried. `undo` is the address before the last correction, `edit`
    and `edit_column` what is open to be corrected, as a `Search` says.
    """

    search: Search
    question: Question
    answer: Answer
    before_choice: Answer
    must_ways: tuple[Alternative, ...] = ()
    heard: Heard | None = None
    catalog: str = ""
    log_key: str | None = None
    offers: Offers = field(default_factory=Offers)
    before_words: Search | None = None
    talk: BesideTalk | None = None
    undo: str = ""
    edit: str = ""
    edit_column: str = ""

    @property
    def is_relaxed(self) -> bool:
        """Whether something gave way."""
        return self.answer.status is Status.SAT_AFTER_RELAXATION

    @property
    def is_dead_end(self) -> bool:
        """Whether nothing that may give way helps."""
        return self.answer.status is Status.UNSAT_EVEN_AFTER_RELAXATION

    @cached_property
    def relaxed_positions(self) -> frozenset[int]:
        """The positions of the criteria that gave way."""
        if not self.is_relaxed or not self.answer.repairs:
            return frozenset()
        return frozenset(self.answer.repairs[0].changed)

    @cached_property
    def relaxed_keys(self) -> frozenset[str]:
        """The keys of the criteria that gave way."""
        return frozenset(
            self.question.criteria[position].key for position in self.relaxed_positions
        )

    @property
    def relaxed_criteria(self) -> list[Criterion]:
        """The criteria that gave way, in their order."""
        return [self.question.criteria[position] for position in sorted(self.relaxed_positions)]

    @cached_property
    def moved(self) -> dict[str, Constraint]:
        """Where the bounds of criteria that gave way were moved to, by their keys."""
        changes = self.answer.repairs[0].changes if self.relaxed_positions else ()
        criteria = self.question.criteria
        return {
            criteria[change.position].key: change.to for change in changes if change.to is not None
        }

    @property
    def conflicts(self) -> list[list[Criterion]]:
        """Which criteria cannot be met together, the smallest conflict first."""
        return [
            [self.question.criteria[position] for position in sorted(conflict)]
            for conflict in self.before_choice.conflicts
        ]

    @cached_property
    def alternatives(self) -> list[Alternative]:
        """Other ways than the one carried out, the least sacrifice first."""
        repairs = (*self.before_choice.shifts, *self.before_choice.repairs)
        others = [
            self._alternative(repair) for repair in repairs if not self._is_carried_out(repair)
        ]
        return sorted(_distinct(others), key=lambda alternative: alternative.cost)

    def _is_carried_out(self, repair: Repair) -> bool:
        return self.is_relaxed and _becomes(repair) == _becomes(self.answer.repairs[0])

    def _alternative(self, repair: Repair) -> Alternative:
        return Alternative(
            tuple(self.question.criteria[position] for position in repair.dropped),
            tuple(
                (self.question.criteria[change.position], change.to)
                for change in repair.changes
                if change.to is not None
            ),
            repair.count,
            repair.cost,
            self._with_changes(repair.changes),
            self.before_choice.counts_exact,
            sum(change.distance for change in repair.changes if change.to is not None),
        )

    def _with_changes(self, changes: Sequence[Change]) -> Search:
        """Return the search with bounds moved, and with what is dropped chosen to give way."""
        keys = [
            self.question.criteria[change.position].key for change in changes if change.to is None
        ]
        search = self.search.with_giving_way(keys)
        for change in changes:
            if change.to is not None:
                search = _moved(search, self.question.criteria[change.position], change.to)
        return search


def _becomes(repair: Repair) -> dict[int, Constraint | None]:
    """Return what constraints become, by position; None for those that are dropped."""
    return {change.position: change.to for change in repair.changes}


def _moved(search: Search, criterion: Criterion, to: Constraint) -> Search:
    """Return the search with one bound moved; an exact number becomes both ends of a range."""
    if to.op in PLACE_TESTS:
        return search.with_value(criterion.key, place_value(to))
    # A strict bound becomes one that includes the value it is moved to.
    one_end: Kind = "max" if to.op == "<=" else "min"
    ends: tuple[object, ...] = to.value if isinstance(to.value, tuple) else (to.value,)
    kinds: tuple[Kind, ...] = ("min", "max") if len(ends) > 1 else (one_end,)
    moved = [
        replace(criterion, kind=kind, values=(format_value(end),), gives_way=False)
        for kind, end in zip(kinds, ends, strict=True)
    ]
    criteria = [
        new
        for other in search.criteria
        for new in (moved if other.key == criterion.key else [other])
    ]
    return replace(search, criteria=tuple(criteria))


def _distinct(alternatives: Sequence[Alternative]) -> Iterator[Alternative]:
    addresses: set[str] = set()
    for alternative in alternatives:
        address = alternative.search.address
        # An exact number that becomes a range, beside a bound on the same column, would need
        # the name of that bound.
        if address not in addresses and alternative.search.is_unambiguous:
            addresses.add(address)
            yield alternative


def ask_engine(
    engine: RepairEngine, search: Search, question: Question, deadline: float | None
) -> Outcome:
    """Return what the engine says, within `deadline` seconds for all of its questions.

    One question, and another where the visitor chose what is to give way; where nothing that may
    give way helps, what would is asked for, too: a question for each of at most three ways out,
    while there is time. Raises what the engine raises.
    """
    until = Deadline(deadline)
    chosen = None
    gives_way = any(criterion.gives_way for criterion in question.criteria)
    before = _repair(engine, search, question, until.share(FIRST_PART) if gives_way else until)
    if gives_way and before.status is not Status.SAT_NO_RELAXATION and not until.expired:
        # What was chosen to give way is dropped, and not merely moved.
        dropping = search if search.policy != "closest" else replace(search, policy=POLICIES[0])
        chosen = _repair(engine, dropping, _only_chosen(question), until)
    if chosen is None or chosen.status is not Status.SAT_AFTER_RELAXATION:
        outcome = Outcome(search, question, before, before)
        if not outcome.is_dead_end:
            return outcome
        ways = tuple(_counted_ways(engine, search, question, until))
        return replace(outcome, must_ways=ways)
    return Outcome(search, question, chosen, before)


def _counted_ways(
    engine: RepairEngine, search: Search, question: Question, until: Deadline
) -> Iterator[Alternative]:
    """Yield the least sets of musts that would have to give way, those that lead to items.

    Each is asked for, as its link asks, so that its count is what the visitor will see. None more
    is looked for once there is no time left.
    """
    if until.expired:
        return
    musts = [position for position, criterion in enumerate(question.criteria) if criterion.must]
    constraints = question.query.constraints
    alone = question.query.replace(
        constraints[position].model_copy(update={"hard": False}) for position in musts
    )
    ways = engine.diagnose(alone, deadline=_left(until), limit=MUST_WAYS).repairs[:MUST_WAYS]
    for way in ways:
        if until.expired:
            return
        positions = sorted(musts[place] for place in way)
        eased = _eased(question, positions)
        answer = _repair(engine, search, eased, until)
        if answer.count:
            changed = replace(search, criteria=_without_musts(search, eased))
            given = tuple(question.criteria[position] for position in positions)
            yield Alternative(given, (), answer.count, 0.0, changed, answer.counts_exact)


def _eased(question: Question, positions: Sequence[int]) -> Question:
    """Return the same query in which the musts at some positions may give way."""
    constraints = list(question.query.constraints)
    criteria = list(question.criteria)
    for position in positions:
        constraints[position] = constraints[position].model_copy(update={"hard": False})
        criteria[position] = replace(criteria[position], must=False)
    return replace(question, query=question.query.replace(constraints), criteria=tuple(criteria))


def _without_musts(search: Search, eased: Question) -> tuple[Criterion, ...]:
    """Return a search's criteria as an eased question has them."""
    by_key = {criterion.key: criterion for criterion in eased.criteria}
    return tuple(by_key.get(criterion.key, criterion) for criterion in search.criteria)


def _only_chosen(question: Question) -> Question:
    """Return the same query in which only what was chosen to may give way."""
    constraints = [
        constraint if criterion.gives_way else constraint.model_copy(update={"hard": True})
        for constraint, criterion in zip(question.query.constraints, question.criteria, strict=True)
    ]
    return replace(question, query=question.query.replace(constraints))


def _repair(engine: RepairEngine, search: Search, question: Question, until: Deadline) -> Answer:
    return engine.repair(
        question.query, policy=search.policy, top=search.top, order=ORDER, deadline=_left(until)
    )


def _left(until: Deadline) -> float | None:
    """Return the seconds that a question may take, as the engine takes them."""
    return None if until.is_endless else until.remaining
