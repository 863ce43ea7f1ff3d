"""Mentions while it is decided what they mean: weighed, then judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .mention import Mention, Option
from .network import Floats
from .reading import Reading


@dataclass(frozen=True, slots=True)
class Weighed:
    """A mention with the log-odds of its options; `rows` their features, `words` its context's.

    `phrasing`: what the encoder makes of the words around it, by decision, where it was asked;
    `wished`: its log-odds that the message wishes for anything.
    """

    mention: Mention
    logits: Floats
    rows: Floats
    words: Floats
    phrasing: Mapping[str, Floats] = field(default_factory=dict[str, Floats])
    wished: float | None = None

    @property
    def best(self) -> int:
        """The place of the likeliest option."""
        return int(self.logits.argmax())

    @property
    def gain(self) -> float:
        """The log-odds of the likeliest option against not meant."""
        return float(self.logits.max())


@dataclass(frozen=True, slots=True)
class Judged:
    """A mention that is meant, as which option, and all that was decided about it.

    `chance` is the probability that all of it is right; `others` the options it could be as well.
    `link` says how it goes on from the mention of its column before it in the message,
    `leaning` holds the log-odds of each polarity, `sides` those of a number's or day's sides;
    `wished` those of the encoder that the message wishes for anything (`Heard.wished`), None where
    it was not asked.
    """

    reading: Reading
    mention: Mention
    option: Option
    chance: float
    others: tuple[tuple[Option, float], ...] = ()
    side: str = "=="
    polarity: str = "wanted"
    hard: bool = False
    grade: str = ""
    link: str = ""
    leaning: tuple[float, ...] = ()
    sides: tuple[float, ...] = ()
    wished: float | None = field(default=None, repr=False, compare=False)

    @property
    def column(self) -> str:
        """The column it is about."""
        return self.option.column
