"""Preferences as understood so far: constraints by column, later ones replacing earlier ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...catalogs.query.constraint import Constraint, Objective
from ..extraction.admitted import WIDENED, allowing
from ..language.sums import topic_of

LOWER = (">", ">=")
UPPER = ("<", "<=")
NEGATIVE = ("!=", "not in")
PARTS = ("contains", "contains any")

MUST_BE = 0.75
"""A wish that weighs less is none that must be met, whatever word of it sounded so."""


@dataclass
class Preferences:
    """Base constraints, the ones that may give way, and objectives, in the order they came up.

    A later wish about a column replaces earlier ones, but for a lower and an upper bound that leave
    some values between them, which stand side by side, values to avoid and parts of a list, which
    add up, and a list of values that holds the one named before: whoever says "pickup" after "crew
    cab pickup" takes nothing back, nor who says "four" after "at least four". A wish that was made
    hard stays hard when it is said again. `refused` is what the wishes are about that somebody
    refused to give up (`topic_of`).
    """

    base: list[Constraint] = field(default_factory=list[Constraint])
    soft: list[Constraint] = field(default_factory=list[Constraint])
    objectives: list[Objective] = field(default_factory=list[Objective])
    refused: set[str] = field(default_factory=set[str])

    @property
    def known(self) -> tuple[Constraint, ...]:
        """All constraints, the base first."""
        return (*self.base, *self.soft)

    def add(
        self, constraints: Iterable[Constraint], *, instead: bool = False, also: bool = False
    ) -> None:
        """Take wishes of one turn in; one about a base column changes what is looked for.

        `instead`: they take the place of what was said about their columns before; `also`: their
        values are as good as those said before.
        """
        seen, told = set[str](), _meant(list(constraints))
        for constraint in told:
            about = topic_of(constraint)
            if also and self._allow(constraint):
                continue
            replaces = instead and about not in seen
            seen.add(about)
            columns = {fixed.column for fixed in self.base}
            if constraint.column is not None and constraint.column in columns:
                self.base = _joined(self.base, constraint, replaces, told)
            else:
                self.soft = _joined(self.soft, constraint, replaces, told)

    def _allow(self, also: Constraint) -> bool:
        """Have what is wished of a column allow some values as well; return whether any is."""
        if also.column is None or isinstance(also.value, bool | None):
            return False
        held = [wish for wish in self.known if wish.column == also.column and wish.op in WIDENED]
        for wish in held:
            allowed = allowing(wish, also.values)
            new = [] if allowed is None else [allowed]
            for wishes in (self.base, self.soft):
                if wish in wishes:
                    place = wishes.index(wish)
                    wishes[place : place + 1] = new
        return bool(held)

    def aim(self, objective: Objective) -> None:
        """Take in that a column is wished low or high; the last word on a column holds."""
        kept = [other for other in self.objectives if other.column != objective.column]
        self.objectives = [*kept, objective]

    def waive(self, column: str) -> None:
        """Forget the wishes about a column that may give way."""
        self.soft = [constraint for constraint in self.soft if constraint.column != column]
        self.objectives = [goal for goal in self.objectives if goal.column != column]

    def forget(self, wishes: Iterable[Constraint]) -> None:
        """Forget these wishes, those of the base, too."""
        gone = list(wishes)
        self.base = [constraint for constraint in self.base if constraint not in gone]
        self.soft = [constraint for constraint in self.soft if constraint not in gone]

    def leave_out(self, wish: Constraint, values: Collection[Any]) -> None:
        """Forget a wish; of one for any of several values only these, if it holds them and more."""
        fewer = narrowed(wish, values)
        if fewer is None:
            self.forget([wish])
        else:
            self.exchange([wish], [fewer])

    def exchange(self, gone: Iterable[Constraint], new: Sequence[Constraint]) -> None:
        """Put wishes in the place of guesses: exact ones for a guess of the base into the base."""
        left = list(gone)
        fixed = any(wish in self.base for wish in left)
        self.forget(left)
        exact = [wish for wish in new if fixed and wish.op in ("==", "in", *PARTS)]
        self.base = [*self.base, *(wish for wish in exact if wish not in self.base)]
        self.add(wish for wish in new if wish not in exact)

    def unfix(self, those: Callable[[Constraint], bool] = lambda wish: True) -> None:
        """Let what is looked for give way as well, or those of it for which this holds."""
        loose = [wish for wish in self.base if those(wish)]
        self.soft = [*loose, *self.soft]
        self.base = [wish for wish in self.base if wish not in loose]

    def harden(self, positions: Iterable[int]) -> None:
        """Let these never give way again."""
        hard = set(positions)
        self.refused |= {topic_of(self.soft[at]) for at in hard}
        self.soft = [
            _hard(constraint) if at in hard else constraint
            for at, constraint in enumerate(self.soft)
        ]

    def unharden(self, positions: Iterable[int]) -> None:
        """Let these give way again."""
        may_go = set(positions)
        self.refused -= {topic_of(self.soft[at]) for at in may_go}
        self.soft = [
            constraint.model_copy(update={"hard": False}) if at in may_go else constraint
            for at, constraint in enumerate(self.soft)
        ]

    def soften(self) -> None:
        """Let wishes give way that words made hard and that matter less than what must be.

        What somebody refused to give up stays hard.
        """
        self.soft = [
            constraint.model_copy(update={"hard": False})
            if constraint.hard
            and constraint.importance < MUST_BE
            and topic_of(constraint) not in self.refused
            else constraint
            for constraint in self.soft
        ]

    def weigh(self, weights: Iterable[float | None]) -> None:
        """Set the weights, one each; None leaves a weight as it is."""
        pairs = zip(self.soft, weights, strict=True)
        self.soft = [
            constraint if to is None else _weighed(constraint, to) for constraint, to in pairs
        ]


def _hard(constraint: Constraint) -> Constraint:
    return constraint.model_copy(update={"hard": True})


def _weighed(constraint: Constraint, weight: float) -> Constraint:
    return Constraint.model_validate(constraint.record() | {"weight": weight})


def _meant(constraints: Sequence[Constraint]) -> list[Constraint]:
    """Return a turn's wishes without what others of the turn imply: no diesel, of petrol."""
    exact = {part.column for part in constraints if part.op in ("==", "in")}
    return [part for part in constraints if part.op not in NEGATIVE or part.column not in exact]


def _joined(
    constraints: list[Constraint], new: Constraint, instead: bool, told: Sequence[Constraint]
) -> list[Constraint]:
    """Return wishes with a new one, which is one of those told at once."""
    on_column = [constraint for constraint in constraints if topic_of(constraint) == topic_of(new)]
    less = any(_says_less(new, constraint) for constraint in on_column)
    if less and (not instead or new.op in NEGATIVE):
        return constraints
    if (cut := _without(on_column, new)) is not None:
        return [cut if constraint is on_column[0] else constraint for constraint in constraints]
    replaced = [
        constraint
        for constraint in on_column
        if instead
        or _same(constraint, new)
        or not stand_together(constraint, new)
        or (constraint not in told and _meet(constraint, new))
    ]
    if any(constraint.hard for constraint in replaced):
        new = _hard(new)
    if not replaced:
        return [*constraints, new]
    place = constraints.index(replaced[0])
    left = [constraint for constraint in constraints if constraint not in replaced]
    return [*left[:place], new, *left[place:]]


def _same(first: Constraint, second: Constraint) -> bool:
    return (first.op, first.value) == (second.op, second.value)


def _beside(first: Constraint, second: Constraint) -> bool:
    """Return whether both can hold: a lower bound, an upper bound, values to avoid, parts."""
    sides = (LOWER, UPPER, NEGATIVE, PARTS)
    taken = [[constraint.op in side for side in sides] for constraint in (first, second)]
    apart = first.op not in PARTS and second.op not in PARTS
    apart = apart or set(first.values).isdisjoint(second.values)
    return any(taken[0]) and any(taken[1]) and taken[0] != taken[1] and apart


def _meet(known: Constraint, new: Constraint) -> bool:
    """Return whether a bound leaves at most one value of what a bound from the other side lets in.

    At most 12, said after at least 12, is no wish for 12 alone.
    """
    ends = {side: wish.value for wish in (known, new) for side in (LOWER, UPPER) if wish.op in side}
    if len(ends) < 2:
        return False
    low, high = ends[LOWER], ends[UPPER]
    alike = isinstance(low, str) == isinstance(high, str)
    return alike and low >= high  # type: ignore[operator]


def stand_together(first: Constraint, second: Constraint) -> bool:
    """Return whether two wishes about a column can both be meant."""
    return _beside(first, second) or _adds_up(first, second)


def _adds_up(known: Constraint, new: Constraint) -> bool:
    """Return whether both are values to avoid, or parts of a list: no Ford, no Dell either."""
    return any(known.op in ops and new.op in ops for ops in (NEGATIVE, PARTS))


def _says_less(new: Constraint, known: Constraint) -> bool:
    if new.op == "==" and known.op in (*LOWER, *UPPER):
        return new.value == known.value
    if new.op in NEGATIVE and known.op in ("==", "in"):
        # Who wants a meeting room wants no sports hall anyway.
        return not set(new.values) & set(known.values)
    values = new.value if isinstance(new.value, tuple) else ()
    return new.op == "in" and known.op == "==" and known.value in values


def _without(on_column: Sequence[Constraint], new: Constraint) -> Constraint | None:
    """Return a list of values without the one that is wished no more; None if there is none."""
    if new.op not in NEGATIVE or len(on_column) != 1 or on_column[0].op != "in":
        return None
    return narrowed(on_column[0], new.values)


def narrowed(wish: Constraint, gone: Collection[Any]) -> Constraint | None:
    """Return a wish for any of several values without some; None unless it holds them and more."""
    left = tuple(value for value in wish.values if value not in gone)
    single = {"in": "==", "contains any": "contains"}.get(wish.op)
    if single is None or not left or len(left) == len(wish.values):
        return None
    return wish.changed(wish.op, left) if len(left) > 1 else wish.changed(single, next(iter(left)))
