"""A mention: words that may mean something of a catalog, with all that they may mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...catalogs.query.constraint import Scalar
from ..language.grades import Form
from .dates import Day
from .quantity import Quantity

Kind = Literal["value", "number", "date", "name", "grade", "open", "answer", "offer"]
How = Literal[
    "whole", "part", "initials", "phrase", "together", "fuzzy", "clock", "placeholder",
    "number", "range", "date", "flag", "name", "grade", "open", "answer", "offered", "all offered",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that a mention may mean: values of a column, the likeliest first.

    `fit` says how well it fits by itself, in [0, 1]: the share of the value's words said, the
    strength of a naming, the fit of a unit. `rivals` counts values that fit as well. `contrary`:
    it names what a column of yes and no denies, `unheated`; `free_of`: it names what its value is
    free of, `nuts`; `leads`: it is what several values begin with.
    """

    column: str
    how: How
    values: tuple[Scalar, ...]
    fit: float = 1.0
    ends: bool = True
    rivals: int = 0
    form: Form | None = None
    contrary: bool = False
    free_of: bool = False
    leads: bool = False

    @property
    def is_shared(self) -> bool:
        """Whether several values share its words, so that none is meant more than the others."""
        return self.how == "together" or (self.how == "phrase" and self.rivals > 0)


@dataclass(frozen=True, slots=True)
class Mention:
    """Words `first` to `last` (included) and what they may mean; `last` < `first`: no words.

    Those `inside` are words of a longer value.
    """

    first: int
    last: int
    kind: Kind
    options: tuple[Option, ...]
    quantity: Quantity | None = None
    day: Day | None = None
    inside: bool = False

    @property
    def has_words(self) -> bool:
        """Whether words of its own say it, and not only the question before."""
        return bool(self.places)

    @property
    def places(self) -> range:
        """The places of its words."""
        return range(self.first, self.last + 1)
