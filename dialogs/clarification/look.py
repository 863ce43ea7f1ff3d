"""A request as the reader weighed it: every mention with its options, and what was decided.

The reader runs once more than for the extraction: about a millisecond a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from ...catalogs.query.schema import name_words
from ...catalogs.versions.reader import CatalogReader
from ..extraction import wished
from ..extraction.decoding import judge, weigh
from ..extraction.judged import Judged, Weighed
from ..extraction.mentions import find_mentions
from ..extraction.network import Network, fitted
from ..extraction.reading import Reading
from ..extraction.value_index import index_of, stems_of

WRITTEN_LIKE_NUMBERS = 2
"""Words on each side in which a number makes `less` or `over` a comparison."""

TELLING = 0.45
"""How rare a word is at least that says something by itself."""

CLOSE = 3.0
"""Log-odds below the best reading of what may be meant as well."""

Features = dict[str, float]


@dataclass
class Look:
    """One message, what its words may mean, and which of it the reader took as meant."""

    reading: Reading
    network: Network = field(default_factory=fitted)

    @classmethod
    def at(
        cls,
        text: str,
        catalog: CatalogReader,
        *,
        today: date | None = None,
        network: Network | None = None,
    ) -> Look:
        """Return a look at a text on a catalog; `today` is what relative dates count from."""
        reading = Reading(text, 0, index_of(catalog), {}, today or date.today())
        return cls(reading, network or fitted())

    @cached_property
    def weighed(self) -> list[Weighed]:
        """The mentions that have words, with the log-odds of their options."""
        reading = self.reading
        return [
            weigh(reading, mention, self.network)
            for mention in find_mentions(reading)
            if mention.has_words
        ]

    @cached_property
    def judged(self) -> list[Judged]:
        """What the reader takes as meant, those that have words."""
        found = judge(self.reading, self.network)
        return [item for item in found if item.mention.has_words]

    @cached_property
    def is_remark(self) -> bool:
        """Whether the reader takes all of it for a remark that wishes nothing."""
        return wished.fitted().nearness(self.reading, self.judged) < 0

    @cached_property
    def used(self) -> set[int]:
        """The words that something meant accounts for."""
        return {word for item in self.judged for word in item.mention.places}

    @cached_property
    def number_words(self) -> set[int]:
        """The words of numbers."""
        return {
            word
            for item in self.weighed
            if item.mention.kind == "number"
            for word in item.mention.places
        }

    @cached_property
    def value_words(self) -> set[int]:
        """The words of values that the reader takes as meant."""
        return {
            word
            for item in self.judged
            if item.mention.kind == "value"
            for word in item.mention.places
        }

    @cached_property
    def name_words(self) -> frozenset[str]:
        """The words of the columns' names, as words are compared."""
        return frozenset(
            word
            for name in self.reading.index.profiles
            for word in stems_of(" ".join(name_words(name)))
        )

    def over(self, first: int, last: int) -> Iterator[Weighed]:
        """Yield the weighed mentions that share a word with some words."""
        for item in self.weighed:
            if item.mention.first <= last and first <= item.mention.last:
                yield item

    def numbers_near(self, first: int, last: int) -> bool:
        """Return whether a number stands right beside some words."""
        low = max(0, first - WRITTEN_LIKE_NUMBERS)
        high = min(len(self.reading.words), last + 1 + WRITTEN_LIKE_NUMBERS)
        near = (word for word in range(low, high) if not first <= word <= last)
        return not self.number_words.isdisjoint(near)


def bounded(value: float) -> float:
    """Return log-odds as a feature within [-2, 2]."""
    return max(-8.0, min(8.0, value)) / 4.0


def in_cue(look: Look, word: int, *names: str) -> bool:
    """Return whether the clause of a word has a cue of some class before it."""
    reading = look.reading
    clause = reading.clause_of[word]
    return any(
        kind in names and first <= word and reading.clause_of[first] == clause
        for first, _, kind in reading.cues
    )


def by_column(item: Weighed) -> dict[str, float]:
    """Return the log-odds of a mention's likeliest option of each column, best first."""
    found: dict[str, float] = {}
    for option, logit in zip(item.mention.options, map(float, item.logits), strict=True):
        found[option.column] = max(logit, found.get(option.column, -99.0))
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))
