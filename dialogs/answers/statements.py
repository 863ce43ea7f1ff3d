"""An answer in statements: about whom, affirmed or denied, with which numbers, on which topic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..decisions.keys import Key
from ..text import sentences
from .amounts import Amount, amounts
from .english import (
    CORRECTION,
    DIGRESSION,
    DISBELIEF,
    EXCEPT,
    FILLER,
    HEDGE,
    NEGATIVE,
    NEGATIVES_IN_KEYS,
    NO,
    ONLY,
    PREPOSITIONS,
    SO,
    TIME_WORDS,
    UNSURE,
    YES,
)
from .people import Mention, People, mentions
from .words import AMENDS, ASIDE, DOUBT, Word, stem, words_of

HARD = frozenset("; : but while whereas though although however yet — - – --".split())
SOFT = frozenset(", and ( ) or plus".split())


@dataclass(frozen=True)
class Statement:
    """A clause of an answer.

    `said`: a leading yes or no. `people`: whom it is about; `others` for the rest of them
    (`nobody else`). `nobody`: it holds for none of them. `negations`: its words for not.
    `excepted`: for whom the opposite holds. `only`: the opposite holds for everyone else.
    `vague`: one of several `candidates` is meant. `future`: it is not so yet.
    """

    words: tuple[Word, ...]
    mentions: tuple[Mention, ...]
    said: bool | None = None
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
        inside = _within(self.mentions)
        return tuple(one for one in amounts(self.words) if one.first not in inside)

    @cached_property
    def content(self) -> tuple[str, ...]:
        """The stems of the words that say what it is about, in order."""
        inside = _within(self.mentions)
        inside |= {at for one in self.amounts for at in range(one.first, one.last + 1)}
        return tuple(
            stem(word.low)
            for at, word in enumerate(self.words)
            if at not in inside and word.low[0].isalnum() and not _says_nothing(word.low)
        )

    @property
    def topical(self) -> tuple[str, ...]:
        """Its content without words for time, which go with any number."""
        return tuple(one for one in self.content if one not in _TIME_STEMS)

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
        return self.people.union(*(one.people for one in self.mentions))

    @property
    def is_broad(self) -> bool:
        """Whether it is about a group as a whole; what is said of one member goes before it."""
        return all(one.kind in ("all", "none", "rest", "mine") for one in self.mentions)

    @cached_property
    def is_elliptic(self) -> bool:
        """Whether it leaves its predicate out: `I do, sadly`, `she isn't`, `Tom can`."""
        for one in self.mentions:
            lows = [word.low for word in self.words[one.last + 1 :]]
            if lows and lows[0] in AUXILIARIES:
                after = [low for low in lows[1:] if low not in ("n't", "not", "too", "either")]
                if not after or not after[0][0].isalnum():
                    return True
        return False


def _says_nothing(low: str) -> bool:
    return low in FILLER or (low.endswith("ly") and len(low) > 5)


AUXILIARIES = frozenset(
    "am is are was were 'm 's 're do does did have has had 've can could will would".split()
)
_TIME_STEMS = frozenset(stem(one) for one in (*TIME_WORDS, "old", "dollar", "dollars"))


def statements(answer: str, people: People, asked: frozenset[int] = frozenset()) -> list[Statement]:
    """Return what an answer states, in order; pronouns and left-out subjects are resolved.

    `asked`: whom the question is about, for pronouns that nobody named before.
    """
    told: list[Statement] = []
    others = asked - {0}
    single = others if len(others) == 1 else frozenset[int]()
    speaker = _Speaker(asked if len(asked) == 1 else frozenset(), single, others)
    for sentence in sentences(_NO_ABBREVIATION.sub(r"\1 .", answer)):
        told.extend(speaker.resolved(part) for part in _parts(marked(sentence.text), people))
        if len(told) >= MOST_STATEMENTS:
            break
    return told[:MOST_STATEMENTS]


MOST_STATEMENTS = 100
"""Of one answer; nobody says more, and each is compared with every key."""


_NO_ABBREVIATION = re.compile(r"\b(I|[Nn]o)\.(?=\s|$)")
"""What ends a sentence here: `so do I.` is no initial, `No.` no number."""


def marked(text: str) -> str:
    """Return a sentence with phrases of doubt as one mark each, and hedges left out."""
    text = UNSURE.sub(f" {DOUBT} ", text)
    text = DIGRESSION.sub(f" ; {ASIDE} ", text)
    text = CORRECTION.sub(f" ; {AMENDS} ", SO.sub(" yes ", text))
    return HEDGE.sub(" ", DISBELIEF.sub(" not ", text))


def _parts(text: str, people: People) -> Iterator[Statement]:
    words = words_of(text)
    named = mentions(words, people)
    link = "."
    for first, last, linked in _cuts(words, named):
        inside = [one for one in named if first <= one.first <= last]
        shifted = [replace(one, first=one.first - first, last=one.last - first) for one in inside]
        yield from _with_interjection(words[first : last + 1], shifted, linked or link)


def _cuts(words: Sequence[Word], named: Sequence[Mention]) -> Iterator[tuple[int, int, str]]:
    """Yield first and last word of each part, and the mark or word that led to it."""
    starts = {one.first: one for one in named}
    ends = {one.last for one in named}
    inside = _within(named)
    first, link, has_predicate = 0, "", False
    for at, word in enumerate(words):
        if at in inside:
            continue
        if at == first and word.low in HARD | SOFT:
            first, link = at + 1, word.low
        elif at > first and _is_cut(words, at, starts, ends, has_predicate):
            yield first, at - 1, link
            first, link, has_predicate = at + (word.low != "who"), word.low, False
            if word.low == "who":
                first = max(one.first for one in named if one.last < at)
        elif _is_predicate(word):
            has_predicate = True
    if first < len(words):
        yield first, len(words) - 1, link


def _is_predicate(word: Word) -> bool:
    """Return whether a word says something of somebody, or leaves what it says out (`does`)."""
    if word.is_mark:
        return False
    return word.value is not None or word.low in AUXILIARIES or word.low not in FILLER


def _is_cut(
    words: Sequence[Word],
    at: int,
    starts: dict[int, Mention],
    ends: set[int],
    has_predicate: bool,
) -> bool:
    low = words[at].low
    if low == "who":
        before = at - 2 if at and words[at - 1].low == "," else at - 1
        return before in ends and at + 1 < len(words)
    if low in HARD:
        return not (low == "but" and _is_exception(words, at, ends, starts))
    if low not in SOFT or low == "or":
        return low in "?!"
    if at and words[at - 1].low in YES | NO and at - 1 not in ends:
        return low == ","
    if low == "and" and has_predicate and _goes_on(words, at):
        return True
    if has_predicate and _share_after(words, at, starts):
        return True
    after = _subject_after(words, at, starts)
    if after is None or after.kind == "none":
        return after is not None
    before = max((one for one in starts.values() if one.last < at), key=_place, default=None)
    singled = any(word.low in ONLY for word in words[at + 1 : after.first])
    return has_predicate or singled or (before is not None and before.kind == "none")


def _share_after(words: Sequence[Word], at: int, starts: dict[int, Mention]) -> bool:
    """Return whether a share of somebody else follows: `, 20 for Tom`, `, nothing for the kids`."""
    for place in range(at + 2, min(at + 6, len(words) - 1)):
        if words[place].low in ("for", "from") and place + 1 in starts:
            return True
        if words[place].is_mark:
            return False
    return False


def _goes_on(words: Sequence[Word], at: int) -> bool:
    """Return whether an `and` leads to another predicate: `and is`, `and doesn't`."""
    return at + 1 < len(words) and words[at + 1].low in AUXILIARIES


def _place(one: Mention) -> int:
    return one.last


def _is_exception(
    words: Sequence[Word], at: int, ends: set[int], starts: dict[int, Mention]
) -> bool:
    """Return whether a `but` means except: `everyone but Tom`, `nobody but me`."""
    return at - 1 in ends and _subject_after(words, at, starts) is not None


def _subject_after(words: Sequence[Word], at: int, starts: dict[int, Mention]) -> Mention | None:
    """Return who is named next to a comma or `and`, over words such as `only` and `also`."""
    for place in range(at + 1, min(at + 5, len(words))):
        if place in starts:
            mention = starts[place]
            return None if mention.kind == "mine" and mention.first == mention.last else mention
        if words[place].low not in _BEFORE_SUBJECT:
            return None
    return None


_BEFORE_SUBJECT = frozenset(
    "and but only just also even not then so that yes no , maybe for".split()
)


def _with_interjection(
    words: Sequence[Word], named: Sequence[Mention], link: str
) -> Iterator[Statement]:
    """Yield a part, its leading yes or no apart."""
    said: bool | None = None
    first = 0
    while first < len(words) and (words[first].is_mark or words[first].low in _LEAD):
        first += 1
    if first < len(words) and not any(one.first <= first <= one.last for one in named):
        said = _interjection(words, first, named)
    if said is not None:
        first += 1
    rest = tuple(words[first:])
    shifted = tuple(
        replace(one, first=one.first - first, last=one.last - first)
        for one in named
        if one.first >= first
    )
    yield _statement(rest, shifted, said, link)


_LEAD = frozenset("well god oh um uh er hmm so and ok okay hi hello".split())


def _interjection(words: Sequence[Word], at: int, named: Sequence[Mention]) -> bool | None:
    low = words[at].low
    if low in YES:
        return True
    if low not in NO:
        return None
    after = words[at + 1] if at + 1 < len(words) else None
    is_alone = after is None or after.is_mark or after.low in ("not", "n't", "no")
    leads = any(one.first == at + 1 for one in named)
    return False if low != "no" or is_alone or leads else None


def _statement(
    words: tuple[Word, ...], named: tuple[Mention, ...], said: bool | None, link: str
) -> Statement:
    excepted_from = _exception(words, named)
    excepted = frozenset[int]().union(*(one.people for one in _after(words, named, excepted_from)))
    subjects = _subjects(
        words,
        [
            one
            for one in named
            if not one.people
            or one.first < (len(words) if excepted_from is None else excepted_from)
        ],
    )
    within = _within(named)
    nobody = any(one.kind == "none" for one in subjects)
    others = any(one.kind == "rest" for one in subjects)
    outside = [word.low for at, word in enumerate(words) if at not in within]
    return Statement(
        words=words,
        mentions=named,
        said=said,
        people=frozenset[int]().union(*(one.people for one in subjects if not one.vague)),
        candidates=frozenset[int]().union(*(one.people for one in subjects if one.vague)),
        excepted=excepted,
        others=others,
        only=_is_only(words, subjects),
        nobody=nobody or _rest_negated(words, subjects),
        negations=_negations(outside),
        vague=any(one.vague for one in subjects),
        unsure=any(word.low == DOUBT for word in words),
        corrects=any(word.low == AMENDS for word in words),
        future="'ll" in outside or "will" in outside,
        linked=link,
    )


def _after(words: Sequence[Word], named: Sequence[Mention], place: int | None) -> Iterator[Mention]:
    """Yield who is named from a place on, until something is said of them."""
    last = place
    for one in named:
        if last is None or one.first <= last:
            continue
        if any(_is_predicate(word) for word in words[last + 2 : one.first]):
            return
        last = one.last
        yield one


def _negations(outside: Sequence[str]) -> frozenset[str]:
    """Return the words for not; a `without` far from the subject denies something else."""
    found = NEGATIVE & frozenset(outside)
    return found - {"without"} if "without" not in outside[:3] else found


def _within(named: Sequence[Mention]) -> set[int]:
    """Return the places of the words that name people."""
    return {at for one in named for at in range(one.first, one.last + 1)}


def _rest_negated(words: Sequence[Word], subjects: Sequence[Mention]) -> bool:
    return any(
        one.kind == "rest" and words[one.first].low in ("nobody", "no", "none", "neither")
        for one in subjects
    )


def _exception(words: Sequence[Word], named: Sequence[Mention]) -> int | None:
    """Return where an exception begins: `everyone except`, `all of us but`, `apart from`."""
    groups = [one for one in named if one.kind in ("all", "none")]

    def before(at: int) -> bool:
        return any(one.first < at for one in named)

    for at in range(len(words)):
        for phrase in EXCEPT:
            if tuple(one.low for one in words[at : at + len(phrase)]) != phrase:
                continue
            follows = any(one.first >= at + len(phrase) for one in named)
            touches = any(one.last == at - 1 for one in groups) or phrase[0] != "but"
            if follows and touches and (groups or (phrase[0] != "but" and not before(at))):
                return at
    return None


def _subjects(words: Sequence[Word], named: Sequence[Mention]) -> list[Mention]:
    """Return whom a part is about: not owners, nor who follows a preposition after a subject."""
    strong = [
        one for at, one in enumerate(named) if one.kind != "mine" or _owns_too(words, named, at)
    ]
    if not strong:
        return list(named[:1])
    subjects: list[Mention] = []
    for one in strong:
        before = words[one.first - 1].low if one.first else ""
        is_object = (before in PREPOSITIONS or _is_owner(words, one)) and bool(subjects)
        if not is_object and not _is_object_pronoun(words, one, subjects):
            subjects.append(one)
    return subjects


def _owns_too(words: Sequence[Word], named: Sequence[Mention], at: int) -> bool:
    """Return whether a `my` ends a list of owners: `Tom's and my heating`."""
    one = named[at]
    joined = one.first > 0 and words[one.first - 1].low == "and" and bool(one.people)
    return joined and at > 0 and _is_owner(words, named[at - 1])


def _is_owner(words: Sequence[Word], one: Mention) -> bool:
    after = words[one.last + 1].low if one.last + 1 < len(words) else ""
    return after == "'s" and one.last + 2 < len(words) and words[one.last + 2].low not in NEGATIVE


def _is_object_pronoun(words: Sequence[Word], one: Mention, subjects: Sequence[Mention]) -> bool:
    low = words[one.last].low
    joined = one.first and words[one.first - 1].low in ("and", ",", "or")
    return (
        low in ("me", "us", "them", "him", "her")
        and bool(subjects)
        and not joined
        and (one.first == one.last)
    )


def _is_only(words: Sequence[Word], subjects: Sequence[Mention]) -> bool:
    for one in subjects:
        before = {word.low for word in words[max(0, one.first - 2) : one.first]}
        after = [word.low for word in words[one.last + 1 : one.last + 5]]
        if before & ONLY or after[:1] == ["only"] or after[:1] == ["alone"]:
            return True
        if "only" in after and "one" in after:
            return True
    lows = [word.low for word in words]
    return any(lows[at : at + 3] == ["the", "only", "one"] for at in range(len(lows)))


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

    def resolved(self, one: Statement) -> Statement:
        """Return a statement about the people that its pronouns stand for."""
        found = set(one.people)
        vague = one.vague
        for mention in one.mentions:
            if mention.kind in ("he", "they") and not mention.people:
                meant = self._meant(mention, one)
                vague = vague or not meant
                found |= meant
        if one.candidates and not found and len(one.candidates & self.asked) == 1:
            # "My grandson is 58", asked about one of two.
            found |= one.candidates & self.asked
        if _leads_on(one) and not (found or one.others or one.candidates or vague):
            only = one.only or (self.last_only and one.linked in (":", ",", "-", "–", "—"))
            nobody = one.nobody or self.last_nobody
            one = replace(one, people=self.last, others=self.last_others, only=only)
            return replace(one, nobody=nobody, vague=vague)
        self._remember(frozenset(found), one)
        return replace(one, people=frozenset(found), vague=vague and not found)

    def _meant(self, mention: Mention, one: Statement) -> frozenset[int]:
        if any(other.kind not in ("he", "they", "mine") for other in one.mentions):
            return frozenset()
        return self.single if mention.kind == "he" else self.several or self.single

    def _remember(self, found: frozenset[int], one: Statement) -> None:
        if found or one.others:
            self.last, self.last_others, self.last_only = found, one.others, one.only
            self.last_nobody = one.nobody
        if len(found) == 1 and 0 not in found:
            self.single = found
        elif len(found) > 1:
            self.several = found


def _leads_on(one: Statement) -> bool:
    """Return whether a part goes on about whom the one before it was about."""
    goes_on = one.linked in ("and", "but", ",", ";", ":", "plus", "-", "–", "—")
    return bool(one.content or one.amounts or one.denied) and goes_on and one.said is None
