"""Open points, and the ledger that keeps them while answers are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from .likelihood import WEIGHTS, Circumstances, facts_of, likelihood
from .options import OptionGroup

OpenKind = Literal["options", "restriction", "source", "kind", "how", "unused"]


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """Something that nobody has said yet.

    `kind`: which of several `options`; how past a `restriction`; the `source` of a thing;
    what `kind` of thing; `how` to do something; what `unused` options are for. `said`: the
    words that leave it open. `options`: what it may be, by name, or (). `likely`: how likely
    somebody has an answer, 0 to 1. `asked`: how often it was asked in vain.
    """

    kind: OpenKind
    said: str
    options: tuple[str, ...]
    question: str
    likely: float = 0.0
    asked: int = 0


@dataclass(slots=True, eq=False)
class HeldPoint:
    """A point while the answers are read.

    `rule`: what opened it. `opened`: after how many answers. `group`: the options it chooses
    from. `thing`: what it is about, where that is a thing. `facts`: see `likelihood`.
    """

    point: OpenPoint
    rule: str
    facts: frozenset[str]
    opened: int
    group: OptionGroup | None = None
    thing: str = ""
    closed: bool = False


MOST_ASKED = 2


@dataclass(slots=True)
class Ledger:
    """Points by key, and the answers so far that told something; `silent` counts the others."""

    points: dict[str, HeldPoint] = field(default_factory=dict[str, HeldPoint])
    heard: list[str] = field(default_factory=list[str])
    silent: int = 0
    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)

    def add(
        self,
        key: str,
        rule: str,
        point: OpenPoint,
        *,
        group: OptionGroup | None = None,
        thing: str = "",
        sentence: str = "",
    ) -> None:
        """Open a point, unless its key is held already."""
        if key not in self.points:
            facts = self._facts(rule, point, sentence)
            self.points[key] = HeldPoint(point, rule, facts, len(self.heard), group, thing)

    def speak_of(self, held: HeldPoint, rule: str, sentence: str) -> None:
        """Have another rule stand for a point: it is spoken of now, so it may be asked anew."""
        held.point = replace(held.point, asked=0)
        held.rule, held.opened = rule, len(self.heard)
        held.facts = self._facts(rule, held.point, sentence)

    def _facts(self, rule: str, point: OpenPoint, sentence: str) -> frozenset[str]:
        return facts_of(rule, point.said, len(point.options), sentence, len(self.heard) < 2)

    def asked_in(self, question: str) -> list[HeldPoint]:
        """Return the points whose question is part of a seeker's turn."""
        return [held for held in self.points.values() if held.point.question in question]

    def count(self, asked: list[HeldPoint], settled: bool) -> None:
        """Count points as asked in vain; of several asked at once a provider may answer one."""
        if len(asked) == 1 or not settled:
            for held in asked:
                held.point = replace(held.point, asked=held.point.asked + 1)

    def of_group(self, group: OptionGroup) -> list[HeldPoint]:
        """Return the points that choose from a group."""
        return [held for held in self.points.values() if held.group == group]

    def open(self) -> tuple[OpenPoint, ...]:
        """Return the points that are open, the likeliest to have an answer first."""
        held = [h for h in self.points.values() if not h.closed and h.point.asked < MOST_ASKED]
        return tuple(sorted(map(self._weighed, held), key=lambda point: -point.likely))

    def _weighed(self, held: HeldPoint) -> OpenPoint:
        likely = likelihood(held.facts, self.circumstances(held), self.weights)
        return replace(held.point, likely=likely)

    def circumstances(self, held: HeldPoint) -> Circumstances:
        """Return how the dialogue stands for a point."""
        told = len(self.heard)
        return Circumstances(held.point.asked, self.silent, told, told - held.opened)
