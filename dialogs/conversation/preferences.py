"""Preferences as understood so far: constraints by column, later ones replacing earlier ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...catalogs.query.constraint import Constraint

LOWER = (">", ">=")
UPPER = ("<", "<=")


@dataclass
class Preferences:
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
        for constraint in constraints:
            columns = {fixed.column for fixed in self.base}
            if constraint.column is not None and constraint.column in columns:
                self.base = _joined(self.base, constraint)
            else:
                self.soft = _joined(self.soft, constraint)

    def waive(self, column: str) -> None:
        """Forget the wishes about a column that may give way."""
        self.soft = [constraint for constraint in self.soft if constraint.column != column]

    def harden(self, positions: Iterable[int]) -> None:
        """Let these never give way again."""
        hard = set(positions)
        self.soft = [
            _hard(constraint) if at in hard else constraint
            for at, constraint in enumerate(self.soft)
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


def _joined(constraints: list[Constraint], new: Constraint) -> list[Constraint]:
    on_column = [constraint for constraint in constraints if constraint.column == new.column]
    if any(_says_less(new, constraint) for constraint in on_column):
        return constraints
    replaced = [constraint for constraint in on_column if not _beside(constraint, new)]
    if any(constraint.hard for constraint in replaced):
        new = _hard(new)
    if not replaced:
        return [*constraints, new]
    place = constraints.index(replaced[0])
    left = [constraint for constraint in constraints if constraint not in replaced]
    return [*left[:place], new, *left[place:]]


def _beside(first: Constraint, second: Constraint) -> bool:
    """Return whether one bounds from below what the other bounds from above."""
    ops = (first.op, second.op)
    return any(low in ops and high in ops for low in LOWER for high in UPPER)


def _says_less(new: Constraint, known: Constraint) -> bool:
    values = new.value if isinstance(new.value, tuple) else ()
    return new.op == "in" and known.op == "==" and known.value in values
