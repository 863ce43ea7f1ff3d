"""What a person wants, as it is understood so far: constraints by column, later ones winning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..catalogs.constraint import Constraint

LOWER = (">", ">=")
UPPER = ("<", "<=")


@dataclass
class Wishes:
    """Base constraints, and the ones that may give way, in the order they came up.

    A later wish about a column replaces earlier ones, but for a lower and an upper bound,
    which stand side by side, and a list of values that holds the one named before: whoever
    says "pickup" after "crew cab pickup" takes nothing back. A wish that was made hard stays
    hard when it is said again.
    """

    base: list[Constraint] = field(default_factory=list[Constraint])
    soft: list[Constraint] = field(default_factory=list[Constraint])

    @property
    def known(self) -> tuple[Constraint, ...]:
        """All constraints, the base first."""
        return (*self.base, *self.soft)

    def add(self, constraints: Iterable[Constraint]) -> None:
        """Take wishes in; one about a base column changes what is looked for."""
        for one in constraints:
            columns = {held.column for held in self.base}
            if one.column is not None and one.column in columns:
                self.base = _joined(self.base, one)
            else:
                self.soft = _joined(self.soft, one)

    def waive(self, column: str) -> None:
        """Forget the wishes about a column that may give way."""
        self.soft = [one for one in self.soft if one.column != column]

    def harden(self, positions: Iterable[int]) -> None:
        """Let these never give way again."""
        hard = set(positions)
        self.soft = [_hard(one) if at in hard else one for at, one in enumerate(self.soft)]

    def weigh(self, weights: Iterable[float | None]) -> None:
        """Set the weights, one each; None leaves a weight as it is."""
        pairs = zip(self.soft, weights, strict=True)
        self.soft = [one if to is None else _weighed(one, to) for one, to in pairs]


def _hard(one: Constraint) -> Constraint:
    return one.model_copy(update={"hard": True})


def _weighed(one: Constraint, weight: float) -> Constraint:
    return Constraint.model_validate(one.record() | {"weight": weight})


def _joined(held: list[Constraint], new: Constraint) -> list[Constraint]:
    if any(one.column == new.column and _says_less(new, one) for one in held):
        return held
    gone = [one for one in held if one.column == new.column and not _beside(one, new)]
    if any(one.hard for one in gone):
        new = _hard(new)
    if not gone:
        return [*held, new]
    place = held.index(gone[0])
    left = [one for one in held if one not in gone]
    return [*left[:place], new, *left[place:]]


def _beside(one: Constraint, other: Constraint) -> bool:
    """Return whether one bounds from below what the other bounds from above."""
    return (one.op in LOWER and other.op in UPPER) or (one.op in UPPER and other.op in LOWER)


def _says_less(new: Constraint, held: Constraint) -> bool:
    values = new.value if isinstance(new.value, tuple) else ()
    return new.op == "in" and held.op == "==" and held.value in values
