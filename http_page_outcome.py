"""What the engine says to a visitor's wishes: what gives way, what else would do, what to offer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from .catalogs.constraint import Constraint
from .engine.answer import Answer, Change, Repair, Status
from .engine.repair_engine import RepairEngine
from .http_page_constraints import Asked, as_value
from .http_page_wishes import Kind, Wish, Wishes

ORDER = "diverse"


@dataclass(frozen=True)
class Alternative:
    """Another way to something that matches: what changes, how many items, and the address."""

    dropped: tuple[Wish, ...]
    shifted: tuple[tuple[Wish, Constraint], ...]
    count: int
    cost: float
    wishes: Wishes


@dataclass(frozen=True)
class Outcome:
    """The answer carried out, and the answer to the wishes before a visitor chose among repairs.

    They are the same one unless wishes were chosen to give way.
    """

    wishes: Wishes
    asked: Asked
    answer: Answer
    before_choice: Answer

    @property
    def relaxed(self) -> bool:
        """Whether something gave way."""
        return self.answer.status is Status.SAT_AFTER_RELAXATION

    @property
    def dead_end(self) -> bool:
        """Whether nothing that may give way helps."""
        return self.answer.status is Status.UNSAT_EVEN_AFTER_RELAXATION

    @cached_property
    def gone(self) -> frozenset[int]:
        """The positions of the wishes that gave way."""
        if not self.relaxed or not self.answer.repairs:
            return frozenset()
        return frozenset(self.answer.repairs[0].dropped)

    @cached_property
    def gone_keys(self) -> frozenset[str]:
        """The keys of the wishes that gave way."""
        return frozenset(self.asked.wishes[position].key for position in self.gone)

    @property
    def gone_wishes(self) -> list[Wish]:
        """The wishes that gave way, in their order."""
        return [self.asked.wishes[position] for position in sorted(self.gone)]

    @property
    def conflicts(self) -> list[list[Wish]]:
        """Which wishes cannot be met together, the smallest conflict first."""
        return [
            [self.asked.wishes[position] for position in sorted(conflict)]
            for conflict in self.before_choice.conflicts
        ]

    @cached_property
    def alternatives(self) -> list[Alternative]:
        """Other ways than the one carried out, the least sacrifice first."""
        ways = (*self.before_choice.shifts, *self.before_choice.repairs)
        others = [self._alternative(one) for one in ways if not self._is_carried_out(one)]
        return sorted(_distinct(others), key=lambda one: one.cost)

    def _is_carried_out(self, repair: Repair) -> bool:
        drops_all = len(repair.dropped) == len(repair.changes)
        return self.relaxed and drops_all and self.gone == frozenset(repair.dropped)

    def _alternative(self, repair: Repair) -> Alternative:
        return Alternative(
            tuple(self.asked.wishes[position] for position in repair.dropped),
            tuple(
                (self.asked.wishes[one.position], one.to)
                for one in repair.changes
                if one.to is not None
            ),
            repair.count,
            repair.cost,
            self._carried_out(repair.changes),
        )

    def _carried_out(self, changes: Sequence[Change]) -> Wishes:
        """Return the wishes with bounds moved, and with what is dropped chosen to give way."""
        keys = [self.asked.wishes[one.position].key for one in changes if one.to is None]
        wishes = self.wishes.giving(keys)
        for change in changes:
            if change.to is not None:
                wishes = _moved(wishes, self.asked.wishes[change.position], change.to)
        return wishes


def _moved(wishes: Wishes, wish: Wish, to: Constraint) -> Wishes:
    """Return the wishes with one bound moved; an exact number becomes both ends of a range."""
    if isinstance(to.value, tuple):
        low, high = (as_value(end) for end in to.value)
        ends = [replace(wish, kind=kind, values=(end,)) for kind, end in _ends(low, high)]
        return replace(
            wishes,
            wishes=tuple(
                new for one in wishes.wishes for new in (ends if one.key == wish.key else [one])
            ),
        )
    return wishes.with_value(wish.key, as_value(to.value))


def _ends(low: str, high: str) -> tuple[tuple[Kind, str], tuple[Kind, str]]:
    return ("min", low), ("max", high)


def _distinct(ways: Sequence[Alternative]) -> Iterator[Alternative]:
    seen: set[str] = set()
    for one in ways:
        address = one.wishes.address
        # An exact number that becomes a range, beside a bound on the same column, would need
        # the name of that bound.
        if address not in seen and one.wishes.is_unambiguous:
            seen.add(address)
            yield one


def outcome(engine: RepairEngine, wishes: Wishes, asked: Asked, deadline: float | None) -> Outcome:
    """Return what the engine says, within `deadline` seconds for each of at most two questions.

    Raises what the engine raises.
    """
    before = _repair(engine, wishes, asked, deadline)
    chosen = None
    if any(one.gives for one in asked.wishes) and before.status is not Status.SAT_NO_RELAXATION:
        chosen = _repair(engine, wishes, _only_chosen(asked), deadline)
    if chosen is None or chosen.status is not Status.SAT_AFTER_RELAXATION:
        return Outcome(wishes, asked, before, before)
    return Outcome(wishes, asked, chosen, before)


def _only_chosen(asked: Asked) -> Asked:
    """Return the same query in which only what was chosen to may give way."""
    constraints = [
        one if wish.gives else one.model_copy(update={"hard": True})
        for one, wish in zip(asked.query.constraints, asked.wishes, strict=True)
    ]
    return replace(asked, query=asked.query.replace(constraints))


def _repair(engine: RepairEngine, wishes: Wishes, asked: Asked, deadline: float | None) -> Answer:
    return engine.repair(
        asked.query, policy=wishes.policy, top=wishes.top, order=ORDER, deadline=deadline
    )
