"""A person about to say one thing: draws phrases, marks whose words are whose, keeps what is meant.

Every random choice of a sentence goes through one speaker, so that a seed is a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal, TypeVar

from ..labelled import Plain
from .draft import Pieces, fill
from .made_catalogs import MadeCatalog, MadeColumn
from .vocabulary import Cue, cues

Thing = TypeVar("Thing")

What = Literal["constraint", "objective", "leaning", "waived", "decoy", "corrected"]


WEIGHTS = {"list": 3.0, "text": 1.4, "date": 2.2, "time": 2.0, "yesno": 0.7, "present": 1.5}
"""How often a kind of column is spoken about, beside 1 for the others."""


COMMON = 8.0
"""Phrases stand by how common they are: the first is drawn twice as often as the ninth."""


@dataclass(slots=True)
class Meant:
    """What the words with a mark mean; `hard` is set when something around them says so."""

    what: What
    mark: int
    column: str = ""
    op: str = ""
    value: Plain | list[Plain] | None = None
    direction: str = ""
    hard: bool = False


@dataclass(slots=True)
class Speaker:
    """The state of one sentence in the making."""

    catalog: MadeCatalog
    random: Random
    allows_apart: bool = False
    voice: bool = False
    meant: list[Meant] = field(default_factory=list[Meant])
    used: list[Cue] = field(default_factory=list[Cue])
    phenomena: list[str] = field(default_factory=list[str])
    acts: list[str] = field(default_factory=list[str])
    marks: int = 0
    slipped: bool = False
    """Whether a number was taken back already, which happens once at most."""

    def chance(self, share: float) -> bool:
        """Return whether something that happens so often happens now."""
        return self.random.random() < share

    def one_of(self, things: Sequence[Thing]) -> Thing:
        """Return one of several things."""
        return self.random.choice(things)

    def cue(self, choices: str | Sequence[Cue]) -> Cue:
        """Return a phrase of a section, or of those given; one kept apart only where allowed."""
        given = cues(choices) if isinstance(choices, str) else choices
        open_ones = [cue for cue in given if self.allows_apart or not cue.apart] or given
        weights = [1 / (place + COMMON) for place in range(len(open_ones))]
        chosen = self.random.choices(open_ones, weights)[0]
        self.used.append(chosen)
        return chosen

    def words(self, choices: str | Sequence[Cue], **slots: str | Pieces) -> Pieces:
        """Return a phrase of a section with its slots filled."""
        return self.fill(self.cue(choices), **slots)

    def fill(self, cue: Cue, **slots: str | Pieces) -> Pieces:
        """Return a phrase with its slots filled; its wish is hard where the phrase says so."""
        if cue.flag == "!":
            self.harden()
        return fill(cue.template, slots, self.random)

    def harden(self) -> None:
        """Make the latest wish one that must not give way."""
        self.shows("hardness")
        column = self.meant[-1].column
        for meant in self.meant:
            if meant.column == column and meant.what == "constraint":
                meant.hard = True

    def mark(self) -> int:
        """Return a new mark."""
        self.marks += 1
        return self.marks

    def means(self, meant: Meant) -> None:
        """Keep what words with a mark mean."""
        self.meant.append(meant)

    def shows(self, *phenomena: str) -> None:
        """Keep what makes the sentence hard."""
        self.phenomena += [name for name in phenomena if name not in self.phenomena]

    def does(self, *acts: str) -> None:
        """Keep the acts of the sentence."""
        self.acts += [act for act in acts if act not in self.acts]

    def columns(self, count: int) -> list[MadeColumn]:
        """Return so many different columns, at most all; kinds with much to learn come oftener."""
        weighed = [
            (self.random.random() ** (1 / WEIGHTS.get(column.kind, 1.0)), at)
            for at, column in enumerate(self.catalog.columns)
        ]
        best = sorted(weighed, reverse=True)[:count]
        return [self.catalog.columns[at] for _, at in self.random.sample(best, len(best))]

    def called(self, column: MadeColumn) -> str:
        """Return a column as people call it."""
        return self.one_of(column.said)

    def alone_of_kind(self, column: MadeColumn) -> bool:
        """Return whether no other column has amounts of this kind."""
        return sum(other.kind == column.kind for other in self.catalog.columns) == 1
