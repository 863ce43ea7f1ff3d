"""Cut an answer into statements: about whom, affirmed or denied, with which numbers and words.

Pronouns and left-out subjects are resolved from left to right. At most `MOST_STATEMENTS` are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...language.tokens import sentences
from ..keys import Key
from .amounts import Amount, amounts
from .english import (
    AUXILIARIES,
    CORRECTION,
    DIGRESSION,
    DISBELIEF,
    FILLER,
    HEDGE,
    NEGATIVE,
    NEGATIVES_IN_KEYS,
    NO,
    SO,
    TIME_WORDS,
    UNSURE,
    YES,
)
from .people import Mention, People, mentions, people_of, places_of
from .subjects import cuts, exception_place, is_only, named_after, rest_negated, subjects_of
from .words import AMENDS, ASIDE, DOUBT, Word, stem, words_of


@dataclass(frozen=True)
class Statement:
    """A clause of an answer.

    `yes_no`: a leading yes or no. `people`: whom it is about; `others` for the rest of them
    (`nobody else`). `nobody`: it holds for none of them. `negations`: its words for not.
    `excepted`: for whom the opposite holds. `only`: the opposite holds for everyone else.
    `vague`: one of several `candidates` is meant. `future`: it is not so yet.
    """

    words: tuple[Word, ...]
    mentions: tuple[Mention, ...]
    yes_no: bool | None = None
    people: frozenset[int] = frozenset()
    excepted: frozenset[int] = frozenset()
    others: bool = False
    only: bool = False
    nobody: bool = False
    negations: frozenset[str] = frozenset()
    vague: bool = False
    candidates: frozenset[int] = frozenset()
    unsure: bool = False
    future: bool = False
    corrects: bool = False
    linked: str = ""

    @property
    def denied(self) -> bool:
        """Whether it is a denial."""
        return self.nobody or bool(self.negations)

    def denies(self, key: Key) -> bool:
        """Whether it denies a key; what the key itself denies is no denial (`without help`)."""
        own = {word.low for word in words_of(f"{key.name.replace('_', ' ')} {key.description}")}
        return self.nobody or bool(self.negations - (own & NEGATIVES_IN_KEYS))

    @property
    def named(self) -> bool:
        """Whether it is about somebody in particular."""
        return bool(self.people) or self.others or self.vague

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """The numbers in it that stand outside of who is named."""
        inside = places_of(self.mentions)
        return tuple(amount for amount in amounts(self.words) if amount.first not in inside)

    @cached_property
    def content(self) -> tuple[str, ...]:
        """The stems of the words that say what it is about, in order."""
        inside = places_of(self.mentions)
        inside |= {at for amount in self.amounts for at in range(amount.first, amount.last + 1)}
        return tuple(
            stem(word.low)
            for at, word in enumerate(self.words)
            if at not in inside and word.low[0].isalnum() and not _says_nothing(word.low)
        )

    @property
    def topical(self) -> tuple[str, ...]:
        """Its content without words for time, which go with any number."""
        return tuple(word for word in self.content if word not in _TIME_STEMS)

    @property
    def is_aside(self) -> bool:
        """Whether it begins to talk of something else."""
        return any(word.low == ASIDE for word in self.words)

    @property
    def is_bare(self) -> bool:
        """Whether it holds nothing but who is named and words that say nothing."""
        return not self.content and not self.amounts

    @property
    def everybody(self) -> frozenset[int]:
        """All who occur in it, whatever it says of them."""
        return self.people.union(*(mention.people for mention in self.mentions))

    @property
    def is_broad(self) -> bool:
        """Whether it is about a group as a whole; what is said of one member goes before it."""
        return all(mention.kind in ("all", "none", "rest", "mine") for mention in self.mentions)

    @cached_property
    def is_elliptic(self) -> bool:
        """Whether it leaves its predicate out: `I do, sadly`, `she isn't`, `Tom can`."""
        for mention in self.mentions:
            lows = [word.low for word in self.words[mention.last + 1 :]]
            if lows and lows[0] in AUXILIARIES:
                after = [low for low in lows[1:] if low not in ("n't", "not", "too", "either")]
                if not after or not after[0][0].isalnum():
                    return True
        return False


def _says_nothing(low: str) -> bool:
    return low in FILLER or (low.endswith("ly") and len(low) > 5)


_TIME_STEMS = frozenset(stem(word) for word in (*TIME_WORDS, "old", "dollar", "dollars"))


def statements(
    answer: str, people: People, asked_members: frozenset[int] = frozenset()
) -> list[Statement]:
    """Return what an answer states, in order; pronouns and left-out subjects are resolved.

    `asked`: whom the question is about, for pronouns that nobody named before.
    """
    parts: list[Statement] = []
    others = asked_members - {0}
    single = others if len(others) == 1 else frozenset[int]()
    speaker = _Speaker(asked_members if len(asked_members) == 1 else frozenset(), single, others)
    for sentence in sentences(_NO_ABBREVIATION.sub(r"\1 .", answer)):
        parts.extend(speaker.resolved(part) for part in _parts(mark_phrases(sentence.text), people))
        if len(parts) >= MOST_STATEMENTS:
            break
    return parts[:MOST_STATEMENTS]


MOST_STATEMENTS = 100
"""Of one answer; nobody says more, and each is compared with every key."""


_NO_ABBREVIATION = re.compile(r"\b(I|[Nn]o)\.(?=\s|$)")
"""What ends a sentence here: `so do I.` is no initial, `No.` no number."""


def mark_phrases(text: str) -> str:
    """Return a sentence with phrases of doubt as one mark each, and hedges left out."""
    text = UNSURE.sub(f" {DOUBT} ", text)
    text = DIGRESSION.sub(f" ; {ASIDE} ", text)
    text = CORRECTION.sub(f" ; {AMENDS} ", SO.sub(" yes ", text))
    return HEDGE.sub(" ", DISBELIEF.sub(" not ", text))


def _parts(text: str, people: People) -> Iterator[Statement]:
    words = words_of(text)
    named = mentions(words, people)
    link = "."
    for first, last, linked in cuts(words, named):
        inside = [mention for mention in named if first <= mention.first <= last]
        shifted = [
            replace(mention, first=mention.first - first, last=mention.last - first)
            for mention in inside
        ]
        yield from _with_interjection(words[first : last + 1], shifted, linked or link)


def _with_interjection(
    words: Sequence[Word], named: Sequence[Mention], link: str
) -> Iterator[Statement]:
    """Yield a part, its leading yes or no apart."""
    yes_no: bool | None = None
    first = 0
    while first < len(words) and (words[first].is_mark or words[first].low in _LEAD):
        first += 1
    if first < len(words) and not any(mention.first <= first <= mention.last for mention in named):
        yes_no = _interjection(words, first, named)
    if yes_no is not None:
        first += 1
    rest = tuple(words[first:])
    shifted = tuple(
        replace(mention, first=mention.first - first, last=mention.last - first)
        for mention in named
        if mention.first >= first
    )
    yield _statement(rest, shifted, yes_no, link)


_LEAD = frozenset("well god oh um uh er hmm so and ok okay hi hello".split())


def _interjection(words: Sequence[Word], at: int, named: Sequence[Mention]) -> bool | None:
    low = words[at].low
    if low in YES:
        return True
    if low not in NO:
        return None
    after = words[at + 1] if at + 1 < len(words) else None
    is_alone = after is None or after.is_mark or after.low in ("not", "n't", "no")
    leads = any(mention.first == at + 1 for mention in named)
    return False if low != "no" or is_alone or leads else None


def _statement(
    words: tuple[Word, ...], named: tuple[Mention, ...], yes_no: bool | None, link: str
) -> Statement:
    excepted_from = exception_place(words, named)
    end = len(words) if excepted_from is None else excepted_from
    candidates = [mention for mention in named if not mention.people or mention.first < end]
    subjects = subjects_of(words, candidates)
    kinds = {mention.kind for mention in subjects}
    within = places_of(named)
    outside = [word.low for at, word in enumerate(words) if at not in within]
    return Statement(
        words=words,
        mentions=named,
        yes_no=yes_no,
        people=people_of(mention for mention in subjects if not mention.vague),
        candidates=people_of(mention for mention in subjects if mention.vague),
        excepted=people_of(named_after(words, named, excepted_from)),
        others="rest" in kinds,
        only=is_only(words, subjects),
        nobody="none" in kinds or rest_negated(words, subjects),
        negations=_negations(outside),
        vague=any(mention.vague for mention in subjects),
        unsure=any(word.low == DOUBT for word in words),
        corrects=any(word.low == AMENDS for word in words),
        future="'ll" in outside or "will" in outside,
        linked=link,
    )


def _negations(outside: Sequence[str]) -> frozenset[str]:
    """Return the words for not; a `without` far from the subject denies something else."""
    negations = NEGATIVE & frozenset(outside)
    return negations - {"without"} if "without" not in outside[:3] else negations


@dataclass
class _Speaker:
    """Who was spoken of last, so that pronouns and left-out subjects find their people."""

    asked: frozenset[int] = frozenset()
    single: frozenset[int] = frozenset()
    several: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()
    last_others: bool = False
    last_only: bool = False
    last_nobody: bool = False

    def resolved(self, clause: Statement) -> Statement:
        """Return a statement about the people that its pronouns stand for."""
        people = set(clause.people)
        vague = clause.vague
        for mention in clause.mentions:
            if mention.kind in ("he", "they") and not mention.people:
                meant = self._meant(mention, clause)
                vague = vague or not meant
                people |= meant
        if clause.candidates and not people and len(clause.candidates & self.asked) == 1:
            # "My grandson is 58", asked about one of two.
            people |= clause.candidates & self.asked
        if _leads_on(clause) and not (people or clause.others or clause.candidates or vague):
            only = clause.only or (self.last_only and clause.linked in (":", ",", "-", "–", "—"))
            nobody = clause.nobody or self.last_nobody
            clause = replace(clause, people=self.last, others=self.last_others, only=only)
            return replace(clause, nobody=nobody, vague=vague)
        self._remember(frozenset(people), clause)
        return replace(clause, people=frozenset(people), vague=vague and not people)

    def _meant(self, mention: Mention, clause: Statement) -> frozenset[int]:
        if any(other.kind not in ("he", "they", "mine") for other in clause.mentions):
            return frozenset()
        return self.single if mention.kind == "he" else self.several or self.single

    def _remember(self, people: frozenset[int], clause: Statement) -> None:
        if people or clause.others:
            self.last, self.last_others, self.last_only = people, clause.others, clause.only
            self.last_nobody = clause.nobody
        if len(people) == 1 and 0 not in people:
            self.single = people
        elif len(people) > 1:
            self.several = people


def _leads_on(clause: Statement) -> bool:
    """Return whether a part goes on about whom the one before it was about."""
    if clause.yes_no is not None or not (clause.content or clause.amounts or clause.denied):
        return False
    return clause.linked in ("and", "but", ",", ";", ":", "plus", "-", "–", "—")
