"""An answer as words, and the phrases among them: values of an entry, and cues about them.

Words are compared without case, accents, apostrophes or plural endings; a word that is neither
known nor common is read as the known word it misspells. Of phrases that overlap the longest
counts, and none reaches across punctuation. The work is linear in the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rapidfuzz.distance import OSA
from rapidfuzz.process import extractOne

from ..language.column_phrases import stem
from ..language.common_words import RANKS
from ..language.tokens import tokens

LONGEST_PHRASE = 9
"""Words of a phrase."""

SHORTEST_MISSPELT, LONGEST_MISSPELT = 4, 20
"""Letters of a word that may be a misspelling."""

COMMONEST = 6_000
"""A word among so many of the commonest is no misspelling."""

_PAUSE = re.compile(r"[.!?;…—]|\n|\s[–-]{1,3}|[–-]{1,3}\s|--")
_COMMA = re.compile(r"[,:()\[\]]")

_SOUNDS = frozenset("uh um er erm uhm umm uhh ah".split())
_PRONOUNS = frozenset("i you he she it we they that there this who what".split())

ASKED = 3
"""The pause behind a question."""

AT_END = "$"
"""Last word of a phrase that counts only before a mark or at the end."""

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Word:
    """A word as compared, and where it stands. `pause` before it: 3 question, 2
    sentence, 1 comma, 0 none."""

    text: str
    start: int
    end: int
    pause: int


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a phrase does. `value`: of the entry, where `kind` is `value`.

    `strength` from 0 to 1; `only_negated`: it means the value only where it is negated.
    """

    kind: str
    value: str = ""
    strength: float = 1.0
    only_negated: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """Words `first` to `last` (included) and what they do."""

    first: int
    last: int
    meaning: Meaning


@dataclass(frozen=True)
class Phrases:
    """Phrases by their words, and the words that a misspelling may stand for."""

    meanings: Mapping[Phrase, Meaning]
    known: frozenset[str]
    by_letter: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, meanings: Mapping[Phrase, Meaning]) -> Phrases:
        """Return phrases; a value of two words is also written as one."""
        joined = {
            ("".join(phrase),): meaning
            for phrase, meaning in meanings.items()
            if meaning.kind == "value" and len(phrase) == 2 and len("".join(phrase)) > 5
        }
        both = {**joined, **meanings}
        named = {word for phrase, of in both.items() if of.kind == "value" for word in phrase}
        known = {word for phrase in both for word in phrase}
        by_letter: dict[str, list[str]] = {}
        for word in (*sorted(named), *sorted(known - named)):  # what names a value wins a tie
            if len(word) >= SHORTEST_MISSPELT - 1:
                by_letter.setdefault(word[0], []).append(word)
        return cls(both, frozenset(known), {one: tuple(of) for one, of in by_letter.items()})

    def spelled(self, word: str) -> str:
        """Return the known word that an unknown one misspells by a letter or two, or itself."""
        if word in self.known or not SHORTEST_MISSPELT <= len(word) <= LONGEST_MISSPELT:
            return word
        if RANKS.get(word, COMMONEST) < COMMONEST or not word.isalpha():
            return word
        most = 1 if len(word) < 6 else 2
        known = self.by_letter.get(word[0], ())
        near = extractOne(word, known, scorer=OSA.distance, score_cutoff=most)
        return near[0] if near else word


def plain_words(text: str) -> list[Word]:
    """Return the words of a text as they are compared."""
    words: list[Word] = []
    end = 0
    for token in tokens(text):
        if token.folded in _SOUNDS and not text.startswith(("-huh", " huh"), token.end):
            continue
        gap = text[end : token.start]
        pause = 2 if _PAUSE.search(gap) else int(bool(_COMMA.search(gap)))
        pause = ASKED if "?" in gap else pause
        plain = stem(_without_will(token.folded).replace("'", "")) or token.folded
        words.append(Word(plain, token.start, token.end, pause))
        end = token.end
    return words


def _without_will(word: str) -> str:
    """Return a word without the `will` that it runs into: `three'll do`."""
    base = word.removesuffix("'ll")
    return word if base in _PRONOUNS else base


def phrase_of(text: str) -> Phrase:
    """Return a phrase as it is compared."""
    return tuple(word.text for word in plain_words(text))


@lru_cache(maxsize=1)
def cue_meanings() -> dict[Phrase, Meaning]:
    """Return the phrases about no subject. One listed twice is what stands first below."""
    path = Path(__file__).with_name("answer_cues.json")
    listed: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    found: dict[Phrase, Meaning] = {}
    for kind in ORDER:
        for text in listed[kind].split("|"):
            ending = (AT_END,) if kind.endswith("_end") else ()
            phrase = (*phrase_of(text), *ending)
            if phrase not in found:
                found[phrase] = Meaning(kind.removesuffix("_end"))
    return found


ORDER = (
    "filler", "correct", "no_preference", "no_preference_end", "no", "no_end", "negation", "yes",
    "yes_end", "vague", "vague_end", "but", "strong",
    "liking", "stress", "so", "over", "after_negation", "after_strong", "backup", "fallback",
    "hedge", "past", "clause", "universal", "with",
)  # fmt: skip


def marks(words: Sequence[Word], phrases: Phrases) -> list[Mark]:
    """Return the phrases among words, in order, none overlapping."""
    spelled = [phrases.spelled(word.text) for word in words]
    found: list[Mark] = []
    place = 0
    while place < len(words):
        mark = _mark_at(spelled, words, place, phrases.meanings)
        if mark:
            found.append(mark)
        place = mark.last + 1 if mark else place + 1
    return found


def _mark_at(
    spelled: Sequence[str], words: Sequence[Word], place: int, meanings: Mapping[Phrase, Meaning]
) -> Mark | None:
    for end in range(_reach(words, place), place, -1):
        phrase = tuple(spelled[place:end])
        ends = end == len(words) or words[end].pause > 0
        meaning = (meanings.get((*phrase, AT_END)) if ends else None) or meanings.get(phrase)
        if meaning:
            return Mark(place, end - 1, meaning)
    if place + 1 < len(words) and not words[place + 1].pause:
        meaning = meanings.get((spelled[place] + spelled[place + 1],))
        if meaning and meaning.kind == "value" and len(spelled[place]) > 2:
            return Mark(place, place + 1, meaning)
    return None


def is_alone(words: Sequence[Word], mark: Mark) -> bool:
    """Return whether a mark is the whole of a last sentence: `Three is a gamble. Four.`"""
    return mark.first > 0 and words[mark.first].pause == 2 and mark.last + 1 == len(words)


def _reach(words: Sequence[Word], place: int) -> int:
    end = place + 1
    while end < min(len(words), place + LONGEST_PHRASE) and not words[end].pause:
        end += 1
    return end
