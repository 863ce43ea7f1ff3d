"""Reading: a message with its words, clauses, the columns asked about and the columns named."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from ...catalogs.query.schema import name_words
from ..language.column_phrases import is_subsequence
from ..language.common_words import RANKS, rarity
from ..language.cues import cues
from ..language.encoder import embeddings
from ..language.grades import GRADE_WORDS, LONGEST_GRADE, Grade, grades
from ..language.tokens import Piece, Token, clauses, sentences, tokens
from ..language.units import HUNDREDTHS, spelling
from ..language.word_vectors import Floats, column_vectors, word_vectors
from ..transcripts.transcript import Span
from .denials import DENIALS, names_denied
from .value_index import ValueIndex, stems_of

LONGEST_QUESTION = 4_000
"""Characters of a question that are read; what is asked stands in few."""

_BEFORE_MAY = frozenset("in by early mid late until till before after from since during of".split())

NEAR = 12
"""Words on either side of some that are near them."""

COMMON = 0.6
"""Words as common as this are short for no column's name."""

TELLING = 0.6
"""Rarer words of a catalog show by their kind only, so that what is learned fits any catalog."""


@dataclass(frozen=True, slots=True)
class Naming:
    """Words `first` to `last` (included) that name a column, with a strength in [0, 1]."""

    first: int
    last: int
    column: str
    strength: float


@dataclass(frozen=True, slots=True)
class Graded:
    """Words `first` to `last` (included) for much or little of something."""

    first: int
    last: int
    meanings: tuple[Grade, ...]


@dataclass
class Reading:
    """A message of the user; `asked_about` weighs the columns that the question before it is about.

    Relative dates count from `today`. `question` is what was asked right before.
    """

    text: str
    message: int
    index: ValueIndex
    asked_about: dict[str, float]
    today: date = field(default_factory=date.today)
    question: str = ""

    @cached_property
    def asking(self) -> Reading:
        """The question before the message, as what is read itself."""
        return Reading(self.question[:LONGEST_QUESTION], 0, self.index, {}, self.today)

    @cached_property
    def words(self) -> tuple[Token, ...]:
        """The words and numbers."""
        return tokens(self.text)

    @cached_property
    def folded(self) -> list[str]:
        """The words without case and accents."""
        return [word.folded for word in self.words]

    @cached_property
    def stems(self) -> list[str]:
        """The words as the index compares them."""
        return [spelling(word) for word in self.folded]

    @cached_property
    def rarities(self) -> list[float]:
        """How rare each word is in English, in [0, 1]."""
        return [
            rarity("june") if self._is_month(at) else min(rarity(word), rarity(self.stems[at]))
            for at, word in enumerate(self.folded)
        ]

    def _is_month(self, at: int) -> bool:
        """Return whether a `may` is a month: `in may`, `31 may`, `may 3`."""
        if self.folded[at] != "may":
            return False
        before, after = "".join(self.folded[max(0, at - 1) : at]), self.folded[at + 1 : at + 2]
        return before in _BEFORE_MAY or before[:1].isdigit() or "".join(after)[:1].isdigit()

    def may_be_slip(self, at: int) -> bool:
        """Whether a word may be a slip of the finger: none of those that the encoder knows whole.

        “Generator” is no `Generac`, though two letters make it one.
        """
        if self.rarities[at] < 1:
            return False
        english = embeddings().pieces.numbers
        return self.folded[at] not in english and self.stems[at] not in english

    def is_known(self, at: int) -> bool:
        """Whether a word is one of the catalog's values, or names a column."""
        return self.stems[at] in self.index.known or self.stems[at] in self.index.namings

    @cached_property
    def has_capitals(self) -> bool:
        """Whether the person writes names with capitals: some word inside a sentence has one."""
        return any(
            self.is_name(at) and len(word.text) > 1 and not word.text.startswith(("I'", "I’"))
            for at, word in enumerate(self.words)
        )

    @cached_property
    def _sentence_starts(self) -> set[int]:
        return {sentence.start for sentence in sentences(self.text)}

    def is_name(self, word: int) -> bool:
        """Return whether a word has a capital that is not just its sentence's first."""
        token = self.words[word]
        return token.text[0].isupper() and token.start not in self._sentence_starts

    def is_common(self, word: int) -> bool:
        """Return whether a word is a common one and not short for anything: `us`, but no `US`."""
        return self.rarities[word] <= TELLING and not self.words[word].text.isupper()

    def may_be_initials(self, first: int, last: int) -> bool:
        """Return whether words may be meant by initials: `all wheel drive`, no `that's the one`."""
        telling = sum(rare > TELLING for rare in self.rarities[first : last + 1])
        return telling > 1 and self.index.known.isdisjoint(self.stems[first : last + 1])

    @cached_property
    def _clause_starts(self) -> list[int]:
        pieces = clauses(self.text) or (Piece(0, len(self.text), self.text),)
        return [clause.start for clause in pieces]

    @cached_property
    def sentence_first(self) -> list[int]:
        """The first word of the sentence that each clause stands in."""
        starts = sorted(self._sentence_starts)
        begins = [starts[max(0, bisect_right(starts, at) - 1)] for at in self._clause_starts]
        places = [word.start for word in self.words]
        return [min(bisect_left(places, at), len(places) - 1) for at in begins]

    @cached_property
    def clause_of(self) -> list[int]:
        """The number of the clause that each word stands in."""
        starts = self._clause_starts
        return [max(0, bisect_right(starts, word.start) - 1) for word in self.words]

    def around(self, first: int, last: int) -> list[str]:
        """Return the words of a clause near some of it, those among them."""
        near = range(max(0, first - NEAR), min(len(self.words), last + NEAR + 1))
        return [self.folded[at] for at in near if self.clause_of[at] == self.clause_of[first]]

    def gap(self, word: int) -> str:
        """Return what stands between a word and the one before it."""
        before = self.words[word - 1].end if word else 0
        after = self.words[word].start if word < len(self.words) else len(self.text)
        return self.text[before:after]

    def joins(self, first: int, last: int) -> bool:
        """Return whether nothing parts the words from one to another.

        Blanks, hyphens, a slash, `&` and apostrophes do not, nor do a dot or a comma without a
        blank behind it, nor a bracket that opens: `unleaded (required)`.
        """
        return all(
            len(gap := self.gap(word)) < 4
            and not gap.strip(" _-–'’.&/,(")
            and (gap.strip() not in {".", ","} or not gap[-1:].isspace())
            for word in range(first + 1, last + 1)
        )

    def runs(self, places: Collection[int]) -> list[tuple[int, int]]:
        """Return first and last word of each run of some words that nothing parts."""
        ordered = sorted(places)
        firsts = [at for at in ordered if at - 1 not in places or not self.joins(at - 1, at)]
        lasts = [at for at in ordered if at + 1 not in places or not self.joins(at, at + 1)]
        return list(zip(firsts, lasts, strict=True))

    def span(self, first: int, last: int) -> Span:
        """Return the evidence from one word to another, with the bracket that closes it."""
        start, end = self.words[first].start, self.words[last].end
        closed = self.text[end : end + 1] == ")" and "(" in self.text[start:end]
        return self.span_at(start, end + closed)

    def span_at(self, start: int, end: int) -> Span:
        """Return the evidence between two characters."""
        return Span(self.message, start, end, self.text[start:end])

    @cached_property
    def namings(self) -> dict[str, list[Naming]]:
        """Where each column is named, in order."""
        found: dict[str, list[Naming]] = {}
        for naming in self._namings():
            found.setdefault(naming.column, []).append(naming)
        return found

    def _namings(self) -> Iterator[Naming]:
        for first, last, columns in named(self.stems, self.index):
            if self.joins(first, last):
                for column, strength in columns:
                    yield Naming(first, last, column, strength)
        for at, word in enumerate(self.stems):
            initials = "".join(stem[0] for stem in self.stems[at : at + 3])
            if len(initials) == 3 and initials not in RANKS and self.joins(at, at + 2):
                for column, strength in self.index.namings.get(initials, ()):
                    yield Naming(at, at + 2, column, strength)
            is_odd = word not in self.index.namings and word not in HUNDREDTHS
            if len(word) > 3 and is_odd and self.rarities[at] > COMMON:
                for column, strength in abbreviated(word, self.index):
                    yield Naming(at, at, column, strength)
            for column, strength in self.index.namings.get(self._denied_word(at), ()):
                if column in self.index.yes_no:
                    yield Naming(at, at, column, strength)

    def _denied_word(self, at: int) -> str:
        """Return the stem of what a word denies, `unheated`, `windowless`; else empty."""
        word = self.folded[at]
        denies = len(word) > 5 and word.startswith(("un", "non"))
        if self.stems[at] in self.index.namings:
            return ""
        if len(word) > 7 and word.endswith("less"):
            return spelling(word.removesuffix("less"))
        return spelling(word.removeprefix("un").removeprefix("non")) if denies else ""

    def denies(self, naming: Naming) -> bool:
        """Return whether a naming names the contrary of its column: `non-smoker`, `sugar-free`.

        So does `smoker` of a column of non-smokers; what is denied in both is none.
        """
        first, last, words = naming.first, naming.last, self.folded
        if naming.column not in self.index.yes_no:
            return False
        denies_itself = names_denied(words[first : last + 1], naming.column)
        if not denies_itself and not DENIALS.isdisjoint(name_words(naming.column)):
            return False
        free = (
            words[last + 1 : last + 2] == ["free"]
            and self.gap(last + 1) in (" ", "-")
            and words[last + 2 : last + 3] != ["of"]
            and last + 2 not in self.naming_words
        )
        denied = any(self._denied_word(at) in self.index.namings for at in range(first, last + 1))
        return (denied or free or words[first - 1 : first] == ["non"]) != denies_itself

    @cached_property
    def naming_words(self) -> set[int]:
        """The words that name some column."""
        every = (naming for namings in self.namings.values() for naming in namings)
        return {word for naming in every for word in range(naming.first, naming.last + 1)}

    @cached_property
    def ordered(self) -> dict[str, int]:
        """The columns that have an order, each with its row in `likeness`."""
        index = self.index
        dates = [name for name, profile in index.dates.items() if profile.minimum is not None]
        return {name: row for row, name in enumerate((*index.numeric, *dates, *index.clocks))}

    @cached_property
    def likeness(self) -> Floats:
        """How like in meaning each ordered column and each word are: float32[columns, words].

        From 0 to 1; a rare word counts for more: `wallet` is about a price, `in` about nothing.
        """
        if not (self.ordered and self.words):
            return np.zeros((len(self.ordered), len(self.words)), np.float32)
        vectors, starts = column_vectors(tuple(self.ordered))
        alike = np.maximum.reduceat(vectors @ word_vectors(self.folded).T, starts, axis=0)
        return np.maximum(alike, 0.0) * np.array(self.rarities, np.float32)

    @cached_property
    def likeness_in_clauses(self) -> list[list[list[float]]]:
        """By clause and ordered column: the likeness of the clause's word most like the column,
        that of the message's, and 1.0 if no column is more like the message.
        """
        likeness, here = self.likeness, np.array(self.clause_of)
        of_message = likeness.max(axis=1, initial=0.0)
        best = (of_message > 0) & (of_message >= of_message.max(initial=0.0))
        return [
            np.stack([likeness[:, here == clause].max(axis=1, initial=0.0), of_message, best], 1)
            .astype(np.float32)
            .tolist()
            for clause in range(here[-1] + 1)
        ]

    @cached_property
    def grades(self) -> list[Graded]:
        """Where words for much or little of something stand."""
        known, words = grades(), [self._mended(at) for at in range(len(self.words))]
        return [
            Graded(first, last, meanings)
            for first in range(len(words))
            for last in range(first, min(first + LONGEST_GRADE, len(words)))
            if (meanings := known.get(tuple(words[first : last + 1])))
        ]

    def _mended(self, at: int) -> str:
        """Return a word, or the word for much or little that it is a slip of the finger from."""
        word = self.folded[at]
        if len(word) < 4 or self.is_known(at) or not self.may_be_slip(at):
            return word
        return nearest(word, GRADE_WORDS) or word

    @cached_property
    def cues(self) -> list[tuple[int, int, str]]:
        """First and last word and class of the words that say how something is meant."""
        return list(cues(self.folded))

    @cached_property
    def symbols(self) -> list[str]:
        """The words as contexts show them: numbers, names and a catalog's words by their kind."""
        return [self._symbol(at) for at in range(len(self.words))]

    def _symbol(self, at: int) -> str:
        word = self.folded[at]
        if any(map(str.isdigit, word)):
            return "#"
        if self.rarities[at] > TELLING:
            if at in self.naming_words:
                return "~"
            if self.stems[at] in self.index.known:
                return "@"
        return "?" if self.is_name(at) else word


def abbreviated(word: str, index: ValueIndex) -> Iterator[tuple[str, float]]:
    """Yield the columns whose names have a word that is short for a word, or akin to it."""
    bare = word[0] + re.sub("[aeiou]", "", word[1:])
    for short, column in index.short:
        if short[0] == word[0] and short != word:
            if word.startswith(short) or bare.startswith(short) or short.startswith(word):
                yield column, 0.7
            elif (len(word) < 2.5 * len(short) and is_subsequence(short, word)) or (
                len(word) > 4 and len(short) > 4 and word[:5] == short[:5]
            ):
                yield column, 0.5


def nearest(word: str, words: Mapping[str, Sequence[str]]) -> str:
    """Return a word within one edit of another, of those by its first letter; none is empty."""
    alike = words.get(word[0], ())
    near = process.extractOne(word, alike, scorer=OSA.distance, score_cutoff=1)
    return near[0] if near and len(near[0]) > 3 else ""


def named(
    stems: list[str], index: ValueIndex
) -> Iterator[tuple[int, int, list[tuple[str, float]]]]:
    """Yield first and last word of every naming of columns, at each place the longest."""
    place = 0
    while place < len(stems):
        taken = 1
        if "".join(stems[place : place + 2])[:2] in index.naming_starts:
            for length in range(min(index.longest_naming, len(stems) - place), 0, -1):
                columns = index.namings.get("".join(stems[place : place + length]))
                if columns:
                    yield place, place + length - 1, columns
                    taken = length
                    break
        place += taken


def asked_columns(question: str, index: ValueIndex) -> dict[str, float]:
    """Return how clearly a question asks about each column, the clearest kept alone, in [0, 1]."""
    text = question[:LONGEST_QUESTION]
    asking = [sentence.text for sentence in sentences(text) if "?" in sentence.text] or [text]
    strengths: dict[str, float] = {}
    for sentence in asking:
        for place, _, columns in named(stems_of(sentence), index):
            for column, strength in columns:
                # What is asked about comes early in a question.
                early = strength / (1 + 0.01 * place)
                best, other = sorted((early, strengths.get(column, 0.0)), reverse=True)
                strengths[column] = min(1.0, best + 0.5 * other)
    best = max(strengths.values(), default=0.0)
    least = {column: 0.45 if column in index.yes_no else 0.85 for column in strengths}
    return {name: strengths[name] for name in strengths if strengths[name] >= least[name] * best}
