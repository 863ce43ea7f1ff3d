"""One message as it is read: words, clauses, what was asked, which columns are named where."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ..text import Piece, Token, clauses, tokens
from ..transcript import Span
from .value_index import ValueIndex, spelling

WORDS_BEFORE, WORDS_AFTER = 14, 8
"""How far from a value the name of its column may stand."""


@dataclass(frozen=True, slots=True)
class Naming:
    """Words `first` to `last` (included) that name a column, with a strength in [0, 1]."""

    first: int
    last: int
    column: str
    strength: float


@dataclass
class Reading:
    """A message of the user; `asked` weighs the columns that the question before it is about.

    `taken` marks the words that a value accounts for.
    """

    text: str
    message: int
    index: ValueIndex
    asked: dict[str, float]
    taken: set[int] = field(default_factory=set[int])

    @cached_property
    def words(self) -> tuple[Token, ...]:
        """The words and numbers."""
        return tokens(self.text)

    @cached_property
    def stems(self) -> list[str]:
        """The words as the index compares them."""
        return [spelling(one.folded) for one in self.words]

    @cached_property
    def clauses(self) -> tuple[Piece, ...]:
        """The clauses."""
        return clauses(self.text) or (Piece(0, len(self.text), self.text),)

    @cached_property
    def _clause_starts(self) -> list[int]:
        return [one.start for one in self.clauses]

    def clause(self, word: int) -> int:
        """Return the number of the clause that a word stands in."""
        return max(0, bisect_right(self._clause_starts, self.words[word].start) - 1)

    def gap(self, word: int) -> str:
        """Return what stands between a word and the one before it."""
        before = self.words[word - 1].end if word else 0
        return self.text[before : self.words[word].start]

    def span(self, first: int, last: int) -> Span:
        """Return the evidence from one word to another."""
        start, end = self.words[first].start, self.words[last].end
        return Span(self.message, start, end, self.text[start:end])

    def span_at(self, start: int, end: int) -> Span:
        """Return the evidence between two characters."""
        return Span(self.message, start, end, self.text[start:end])

    @cached_property
    def namings(self) -> tuple[Naming, ...]:
        """Where columns are named, by words that no value accounts for."""
        return tuple(self._namings())

    def _namings(self) -> Iterator[Naming]:
        place = 0
        while place < len(self.words):
            last = place
            for length in range(min(self.index.longest_phrase, len(self.words) - place), 0, -1):
                if any(one in self.taken for one in range(place, place + length)):
                    continue
                held = self.index.column_phrases.get(tuple(self.stems[place : place + length]))
                if held:
                    last = place + length - 1
                    for column, strength in held:
                        yield Naming(place, last, column, strength)
                    break
            place = last + 1

    def settle(self) -> None:
        """Read anew where columns are named, now that the values are known."""
        self.__dict__.pop("namings", None)
        self.__dict__.pop("_naming_firsts", None)

    @cached_property
    def _naming_firsts(self) -> list[int]:
        return [one.first for one in self.namings]

    def named_near(self, word: int) -> list[Naming]:
        """Return the columns named near a word, in its clause."""
        low = bisect_left(self._naming_firsts, word - WORDS_BEFORE)
        high = bisect_right(self._naming_firsts, word + WORDS_AFTER)
        clause = self.clause(word)
        return [one for one in self.namings[low:high] if self.clause(one.first) == clause]
