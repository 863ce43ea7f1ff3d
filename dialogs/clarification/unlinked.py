"""Words that no reading accounts for, and what speaks for their being a wish.

Fillers, the name under a letter and words that were often idle elsewhere are passed over. Linear
in the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log1p

from ..language.tokens import folded
from .hedges import TORN
from .look import TELLING, Features, Look, bounded, in_cue

LED = frozenset("with has have having include includes including need needs without no".split())
STORY = frozenset(
    "i my me he she his her they we our was were had did been when because cos if but so".split()
)
FAREWELLS = frozenset("wishes regards cheers thanks sincerely yours love best ta".split())
SIGNED = 4
"""Words of the name under a letter, and of what stands before it, at most."""
SHORT, SELDOM = 14, 4
"""Words of a message that only lists wishes; texts in which a telling word may be idle."""

CHAT = frozenset("thx plz pls cheers thanks regards hi hello hey dear greetings morning".split())

ADJECTIVES = tuple(
    "y ful ish able ible ive ous al ic ary less free proof friendly ern ent ant".split()
)
"""Endings of words that say how a thing is, more often than not."""

VERBAL = frozenset(
    "must can could should will would shall may might not to who which that i we you they it "
    "doesn't don't won't can't isn't aren't please".split()
)
WHO = frozenset("who which that".split())
"""Words before a verb, mostly."""

WITH = frozenset("with for in under over from by near at that which who on below above".split())
"""Words after the thing that is asked for itself: `a kiln with shelves`."""

LIKE = 3
"""Letters with which words of one family begin, at least."""

OWNED = frozenset("my our his her their your for because since if when as".split())


def unlinked(look: Look, idle: Mapping[str, int]) -> Iterator[tuple[int, int, Features]]:
    """Yield first and last word of runs that no reading accounts for, with their features."""
    reading = look.reading
    signed = _signed_from(look)
    left = [
        at not in look.used
        and at not in reading.naming_words
        and at < signed
        and _tells(look, at, idle)
        for at in range(len(reading.words))
    ]
    at = 0
    while at < len(left):
        if not left[at]:
            at += 1
            continue
        first = at
        while at + 1 < len(left) and left[at + 1] and reading.joins(at, at + 1):
            at += 1
        yield first, at, _unlinked_features(look, first, at, idle)
        at += 1


def _signed_from(look: Look) -> int:
    """Return the first word of the name under a letter, or how many words there are."""
    words = look.reading.folded
    for at in range(max(0, len(words) - SIGNED - 1), len(words)):
        if words[at] in FAREWELLS and not look.used & set(range(at, len(words))):
            return at
    return len(words)


def _is_wished(look: Look, first: int, last: int, seen: int) -> bool:
    """Return whether unused words stand as a wish: after `with`, or alone between commas."""
    reading = look.reading
    before = reading.folded[max(0, first - 3) : first]
    if seen > SELDOM or len(reading.words) > SHORT or STORY & {*reading.folded}:
        return False
    led = bool(LED & {*before})
    if not look.judged and not led:
        return False
    begins = not first or bool(reading.gap(first).strip()) or led or "and" in before
    after = last + 1
    while after < len(reading.words) and after in reading.naming_words:
        after += 1
    ends = after == len(reading.words) or reading.folded[after] in ("and", "or")
    ends = ends or any(mark in reading.gap(after) for mark in ",.;?!")
    return begins and (ends or led)


def _tells(look: Look, at: int, idle: Mapping[str, int]) -> bool:
    """Return whether a word may be one of content: none of the commonest, not often idle."""
    word = look.reading.words[at].folded
    if look.reading.rarities[at] < TELLING or len(word) < 3 or word[0].isdigit():
        return False
    if "'" in word or "’" in word:
        return False
    return word not in CHAT and word not in TORN and idle.get(word, 0) < 20


def _unlinked_features(look: Look, first: int, last: int, idle: Mapping[str, int]) -> Features:
    seen = min(idle.get(look.reading.folded[at], 0) for at in range(first, last + 1))
    wished = {"wished": float(_is_wished(look, first, last, seen))}
    words = _of_words(look, first, last, seen)
    return words | _of_clause(look, first, last) | _of_place(look, first, last) | wished


def _of_words(look: Look, first: int, last: int, seen: int) -> Features:
    """Return what the words themselves say; they were idle in `seen` texts."""
    reading, words = look.reading, range(first, last + 1)
    gains = [item.gain for item in look.over(first, last)]
    return {
        "rarity": max(reading.rarities[at] for at in words),
        "idle": log1p(seen),
        "never idle": float(seen == 0),
        "name": float(any(reading.is_name(at) for at in words)),
        "length": float(len(words)),
        "gain": bounded(max(gains, default=-8.0)),
        "known": float(any(reading.stems[at] in reading.index.known for at in words)),
        "verb": float(folded(reading.words[last].text).endswith(("ing", "ed"))),
        "adjective": float(reading.folded[last].endswith(ADJECTIVES)),
        "family": float(any(_is_of_a_name(look, at) for at in words)),
    }


def _of_clause(look: Look, first: int, last: int) -> Features:
    """Return what the clause and the message say: what is wished there, how much is told."""
    reading = look.reading
    clause = reading.clause_of[first]
    mates = [at for at in range(len(reading.words)) if reading.clause_of[at] == clause]
    chosen = sum(reading.clause_of[item.mention.first] == clause for item in look.judged)
    return {
        "clause": float(chosen > 0),
        "story": log1p(sum(reading.folded[at] in STORY for at in mates)),
        "with": float(any(at < first and reading.folded[at] in LED for at in mates)),
        "alone": log1p(len(mates)),
        "alone in clause": float(len(mates) <= last - first + 2),
        "chosen": log1p(chosen),
        "long": log1p(len(reading.words)),
        "past": float(in_cue(look, first, "own", "suppose", "ask")),
        "asked": float(in_cue(look, first, "want", "hard", "soft")),
        "early": float(first - reading.sentence_first[clause] < 3),
    }


def _of_place(look: Look, first: int, last: int) -> Features:
    """Return what the words right before and after say."""
    reading = look.reading
    folded_ = reading.folded
    before = folded_[first - 1] if first else ""
    before_that = folded_[first - 2] if first > 1 else ""
    after = folded_[last + 1] if last + 1 < len(folded_) else ""
    is_led = before in LED or before in ("a", "an", "the", "some")
    begins = bool(reading.gap(first).strip())
    leads = is_led or not first or begins
    ends = last + 1 == len(folded_) or "," in reading.gap(last + 1)
    follows = _is_of_meaning(look, first - 1, first)
    early = first - reading.sentence_first[reading.clause_of[first]] < 3
    return {
        "led": float(before in LED or (before in ("a", "an", "the") and before_that in LED)),
        "listed": float(begins and first > 0),
        "ends": float(ends),
        "owned": float(before in OWNED or before_that in OWNED),
        "article": float(before in ("a", "an", "some")),
        "verb led": float(is_led and folded_[last].endswith(("ing", "ed"))),
        "before named": float(_is_of_meaning(look, last + 1, last + 1)),
        "after named": float(follows),
        "closes named": float(follows and ends),
        "modifies": float(leads and not ends),
        "adjective modifies": float(leads and folded_[first].endswith(ADJECTIVES)),
        "verbal": float(before in VERBAL or before_that in WHO),
        "head": float(leads and early and after in WITH),
        "of": float(after in ("of", "to", "that", "who", "is", "was")),
    }


def _is_of_meaning(look: Look, at: int, joint: int) -> bool:
    """Return whether a word names a column or is used, with no mark before the word `joint`."""
    reading = look.reading
    inside = 0 <= at < len(reading.words) and not reading.gap(joint).strip()
    return inside and (at in reading.naming_words or at in look.used)


def _is_of_a_name(look: Look, at: int) -> bool:
    """Return whether a word begins like one of a column's name: `leaves` of `leaf colour`."""
    word = look.reading.stems[at]
    return any(_are_akin(word, name) for name in look.name_words)


def _are_akin(one: str, other: str) -> bool:
    least = max(LIKE, min(len(one), len(other)) - 1)
    return one[:least] == other[:least]
