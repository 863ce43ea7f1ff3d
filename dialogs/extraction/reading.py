"""Reading: a message with its words, clauses, the columns asked about and the columns named."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ..language.tokens import Piece, Token, clauses, sentences, tokens
from ..transcripts.transcript import Span
from .value_index import ValueIndex, spelling, stems_of

LONGEST_TOPIC = 40
"""Characters of an opening phrase that names what the next clause is about."""

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
    """A message of the user; `asked_about` weighs the columns that the question before it is about.

    `taken` marks the words that a value accounts for.
    """

    text: str
    message: int
    index: ValueIndex
    asked_about: dict[str, float]
    taken: set[int] = field(default_factory=set[int])

    @cached_property
    def words(self) -> tuple[Token, ...]:
        """The words and numbers."""
        return tokens(self.text)

    @cached_property
    def has_capitals(self) -> bool:
        """Whether the person writes names with capitals: some word inside a sentence has one."""
        return any(
            token.text[0].isupper()
            and len(token.text) > 1
            and not token.text.startswith(("I'", "I’"))
            for token in self.words
            if token.start not in self._sentence_starts
        )

    @cached_property
    def _sentence_starts(self) -> set[int]:
        return {sentence.start for sentence in sentences(self.text)}

    def is_name(self, word: int) -> bool:
        """Return whether a word has a capital that is not just its sentence's first."""
        token = self.words[word]
        return token.text[0].isupper() and token.start not in self._sentence_starts

    @cached_property
    def stems(self) -> list[str]:
        """The words as the index compares them."""
        return [spelling(token.folded) for token in self.words]

    @cached_property
    def clauses(self) -> tuple[Piece, ...]:
        """The clauses."""
        return clauses(self.text) or (Piece(0, len(self.text), self.text),)

    @cached_property
    def _clause_starts(self) -> list[int]:
        return [clause.start for clause in self.clauses]

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
            if self.stems[place] not in self.index.phrase_starts:
                place += 1
                continue
            for length in range(min(self.index.longest_phrase, len(self.words) - place), 0, -1):
                if any(word in self.taken for word in range(place, place + length)):
                    continue
                columns = self.index.column_phrases.get(tuple(self.stems[place : place + length]))
                if columns and self._is_unbroken(place, place + length):
                    last = place + length - 1
                    for column, strength in columns:
                        yield Naming(place, last, column, strength)
                    break
            place = last + 1

    def _is_unbroken(self, first: int, stop: int) -> bool:
        """Return whether nothing but spaces and hyphens stands between some words."""
        return all(not self.gap(word).strip(" -") for word in range(first + 1, stop))

    def settle(self) -> None:
        """Read anew where columns are named, now that the values are known."""
        self.__dict__.pop("namings", None)
        self.__dict__.pop("_naming_firsts", None)

    @cached_property
    def _naming_firsts(self) -> list[int]:
        return [naming.first for naming in self.namings]

    def named_near(self, word: int) -> list[Naming]:
        """Return the columns named near a word, in its clause."""
        low = bisect_left(self._naming_firsts, word - WORDS_BEFORE)
        high = bisect_right(self._naming_firsts, word + WORDS_AFTER)
        clause = self.clause(word)
        near = [(naming, self.clause(naming.first)) for naming in self.namings[low:high]]
        own = [naming for naming, place in near if place == clause]
        if own or not clause or not self._leads_in(clause - 1):
            return own
        return [naming for naming, place in near if place == clause - 1]

    def _leads_in(self, clause: int) -> bool:
        """Return whether a clause only names the topic of the next: `For the rent, I …`."""
        piece = self.clauses[clause]
        between = self.text[piece.end : self.clauses[clause + 1].start]
        short = len(piece.text) <= LONGEST_TOPIC and not re.search(r"\d", piece.text)
        return short and piece.text[-1] not in ".!?" and "," in between


LONGEST_QUESTION = 4_000
"""Characters of a question that are read; what is asked stands in few."""


def asked_columns(question: str, index: ValueIndex) -> dict[str, float]:
    """Return how clearly a question asks about each column, the clearest kept alone, in [0, 1]."""
    text = question[:LONGEST_QUESTION]
    asking = [sentence.text for sentence in sentences(text) if "?" in sentence.text] or [text]
    strengths: dict[str, float] = {}
    for sentence in asking:
        for column, strength in _named(stems_of(sentence), index):
            best, other = sorted((strength, strengths.get(column, 0.0)), reverse=True)
            strengths[column] = min(1.0, best + 0.5 * other)
    best = max(strengths.values(), default=0.0)
    return {column: strength for column, strength in strengths.items() if strength >= 0.85 * best}


def _named(stems: list[str], index: ValueIndex) -> list[tuple[str, float]]:
    named: list[tuple[str, float]] = []
    place = 0
    while place < len(stems):
        taken = 1
        for length in range(min(index.longest_phrase, len(stems) - place), 0, -1):
            columns = index.column_phrases.get(tuple(stems[place : place + length]))
            if columns:
                # What is asked about comes early in a question.
                named.extend(
                    (column, strength / (1 + 0.01 * place)) for column, strength in columns
                )
                taken = length
                break
        place += taken
    return named
