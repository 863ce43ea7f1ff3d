"""From what a person wants to constraints on a catalog: entries bound to columns.

A binding is data, so a profile carries over to any catalog that is bound. What a catalog lacks
(a villa where there are none) is said, never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...catalogs.query.constraint import Constraint
from .profile import Profile
from .schema import NO_PREFERENCE, Value

HARD_WEIGHT = 1.0


@dataclass(frozen=True)
class Binding:
    """How an entry becomes a constraint.

    `op` with `column` compares; `op` "sql" writes `{value}` into `column`, a condition. With
    `values`, only those values of the entry mean something, and what they are in the catalog;
    `silent` values wish nothing. `scale` multiplies a number.
    """

    entry: str
    column: str
    op: str
    values: Mapping[str, str] | None = None
    silent: tuple[str, ...] = (NO_PREFERENCE,)
    hard: bool = False
    scale: float = 1.0

    def constraint(self, value: Value, weight: float | None = None) -> Constraint | None:
        """Return what a value asks of the catalog; None where it wishes or means nothing here."""
        if not self.bears(value) or value in self.silent:
            return None
        meant: Value = self.values[str(value)] if self.values is not None else value
        if isinstance(meant, (int, float)):
            meant = round(meant * self.scale, 2) if self.scale != 1 else meant
        if self.op == "sql":
            told = str(meant).replace("'", "''")
            text = self.column.replace("{value}", told)
            return Constraint(op="sql", value=text, weight=weight, hard=self.hard)
        return Constraint(
            column=self.column, op=self.op, value=meant, weight=weight, hard=self.hard
        )

    def bears(self, value: Value) -> bool:
        """Whether the catalog can tell what a value means; a value that wishes nothing counts."""
        return self.values is None or value in self.silent or str(value) in self.values


@dataclass(frozen=True)
class BoundProfile:
    """The constraints of a profile, by entry, and the entries whose wish the catalog lacks."""

    constraints: Mapping[str, Constraint]
    lacking: tuple[str, ...]


def bind_profile(
    profile: Profile, bindings: Sequence[Binding], weight: Callable[[str], float]
) -> BoundProfile:
    """Return what a profile asks of a catalog; `weight` gives the weight of an entry, 0 to 1."""
    constraints: dict[str, Constraint] = {}
    lacking: list[str] = []
    for binding in bindings:
        known = profile.get(binding.entry)
        if known is None:
            continue
        if not binding.bears(known.value):
            lacking.append(binding.entry)
        elif constraint := binding.constraint(known.value, weight(binding.entry)):
            constraints[binding.entry] = constraint
    return BoundProfile(constraints, tuple(lacking))
