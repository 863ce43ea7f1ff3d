"""Phrases by which people name a column, generated from its name and the lexicon's topics.

The lexicon, `topics.tsv`, has topics such as price or size, reached from the words of a column's
name, never from a catalog. Phrases are generated once a column and cached. Finding them in a text
costs its words times the words of the longest phrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ...catalogs.query.schema import name_words
from .common_words import rarity
from .tokens import tokens


@dataclass(frozen=True, slots=True)
class Topic:
    """A kind of quantity or quality, and the words that have to do with it.

    `leads` are words of a column's name that lead to it, `phrases` what people call it, `kinds`
    the kinds of unit it is measured in, `much` and `little` adjectives for either end.
    """

    leads: tuple[str, ...]
    phrases: tuple[str, ...]
    kinds: tuple[str, ...]
    much: tuple[str, ...]
    little: tuple[str, ...]


def _topics() -> Iterator[tuple[str, Topic]]:
    table = Path(__file__).with_name("topics.tsv").read_text(encoding="utf-8")
    for line in table.splitlines()[1:]:
        topic, leads, phrases, kinds, much, little = line.split("\t")
        listed = (tuple(filter(None, cell.split("|"))) for cell in (phrases, much, little))
        names, ups, downs = listed
        yield topic, Topic(tuple(leads.split()), names, tuple(kinds.split()), ups, downs)


TOPICS = dict(_topics())

OTHER_WORDS = {
    "city": ("town", "urban"),
    "highway": ("motorway", "freeway", "interstate"),
    "screen": ("display",),
    "guest": ("visitor",),
    "smoking": ("smoke",),
}
"""Other words for a word of a column's name."""

NAME_FILLERS = frozenset(
    "the of a an per in on at to for by from until till since is has with type name number "
    "num no count category class value id total aggregate average avg mean vehicle item unit "
    "product column col and ref sku ok okay".split()
)
"""Words of a column's name that say nothing by themselves."""


FULL, NARROWED, SYNONYM, HEAD, WORD = 1.0, 0.95, 0.8, 0.7, 0.5
"""Strength of the whole name, of a topic's phrase with the name's other words, of that phrase, of
the last word of a longer name, and of any other word of it."""

_ENGLISH = 0.9
"""Rarer words of a column's name are taken for short forms."""

_MOST_MEANT = 3
"""Topics that one short form may stand for; what stands for more says nothing."""

MAX_PHRASES = 400

MEASURED = frozenset(
    {"price", "fuel economy", "odometer", "weight", "duration", "people", "ports", "interest"}
)
"""Topics that only a number answers."""

NAMED = frozenset(
    "place brand model colour cuisine title rules drive operator kind person condition material "
    "language".split()
)
"""Topics that no number answers."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Characters `start` to `end` (excluded) that name a column, and how surely, in [0, 1]."""

    start: int
    end: int
    strength: float


def stem(word: str) -> str:
    """Return a folded word without its plural ending, roughly: `stars` and `star` agree."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=4_096)
def column_topics(name: str) -> tuple[str, ...]:
    """Return the topics of the lexicon that the words of a column's name lead to.

    A word that leads nowhere and is no word of English is taken for a short form of one that does.
    """
    words = dict.fromkeys(map(stem, name_words(name)))
    led = {word: [topic for topic in TOPICS if word in _leads(topic)] for word in words}
    for word in words:
        if not led[word] and word not in NAME_FILLERS and rarity(word) > _ENGLISH:
            led[word] = _shortened(word)
    return tuple(dict.fromkeys(topic for topics in led.values() for topic in topics))


@lru_cache(maxsize=512)
def _leads(topic: str) -> frozenset[str]:
    return frozenset(stem(word) for word in TOPICS[topic].leads)


def _shortened(word: str) -> list[str]:
    """Return the topics a word of a name is short for: `prc`, `wrnty`, `temper`; few or none."""
    found = {topic: _shortens(word, topic) for topic in TOPICS} if len(word) > 2 else {}
    most = max(found.values(), default=0)
    best = [topic for topic in found if most and found[topic] == most]
    return best if len(best) <= _MOST_MEANT else []


def _shortens(word: str, topic: str) -> int:
    """Return how well a word is a short form of one that leads to a topic, from 0 up to 3."""
    best = 0
    for lead in _leads(topic):
        if lead[0] == word[0] and len(lead) > len(word):
            bare = re.sub(r"(.)\1", r"\1", lead[0] + re.sub("[aeiou]", "", lead[1:]))
            within = len(word) > 3 and word[-1] == lead[-1] and is_subsequence(word, bare)
            starts = bare.startswith(word) or (len(word) > 3 and lead.startswith(word))
            best = max(best, 3 if bare == word else 2 if starts else int(within))
    return best


def is_subsequence(short: str, word: str) -> bool:
    """Return whether a word has the letters of a shorter one in its order: `stk` of `stock`."""
    letters = iter(word)
    return all(letter in letters for letter in short)


@lru_cache(maxsize=4_096)
def phrase_strengths(name: str, family: str | None = None) -> dict[str, float]:
    """Return the lower-case phrases for a column with their strengths in [0, 1].

    `family` ("numeric", "text", …) leaves out topics that such a column cannot measure.
    """
    strengths: dict[str, float] = {}
    for phrase, strength in _phrases(name, family):
        strengths[phrase] = max(strength, strengths.get(phrase, 0.0))
    best = sorted(strengths.items(), key=lambda pair: (-pair[1], -len(pair[0]), pair[0]))
    return dict(best[:MAX_PHRASES])


def column_phrases(name: str, family: str | None = None) -> tuple[str, ...]:
    """Return the phrases by which people name a column, lower case, most specific first."""
    return tuple(phrase_strengths(name, family))


def mentions(text: str, name: str, family: str | None = None) -> tuple[Mention, ...]:
    """Return where a text names the column, in order; of overlapping phrases the best.

    Work grows with the text's length times the longest phrase, never with the phrases.
    """
    by_words, words = _by_words(name, family), tokens(text)
    stems = [stem(word.folded) for word in words]
    longest = max(map(len, by_words), default=0)
    spans: list[Mention] = []
    place = 0
    while place < len(words):
        for length in range(min(longest, len(words) - place), 0, -1):
            strength = by_words.get(tuple(stems[place : place + length]))
            if strength is not None:
                spans.append(Mention(words[place].start, words[place + length - 1].end, strength))
                place += length - 1
                break
        place += 1
    return tuple(spans)


@lru_cache(maxsize=4_096)
def _by_words(name: str, family: str | None) -> dict[tuple[str, ...], float]:
    strengths: dict[tuple[str, ...], float] = {}
    for phrase, strength in phrase_strengths(name, family).items():
        key = tuple(stem(word.folded) for word in tokens(phrase))
        strengths[key] = max(strength, strengths.get(key, 0.0))
    strengths.pop((), None)
    return strengths


_SCALE = re.compile(r"[\s(_,]*\bout[\s_]of[\s_]*\d+[\s)]*$", re.IGNORECASE)
"""The scale that a name ends with: `Rating (out of 5)` is the rating."""


def _phrases(name: str, family: str | None) -> Iterator[tuple[str, float]]:
    words = name_words(_SCALE.sub("", name) or name)
    if not words:
        return
    yield " ".join(words), FULL
    telling = [word for word in words if word not in NAME_FILLERS] or words
    if telling != words:
        yield " ".join(telling), NARROWED
    if "per" in words:
        yield " ".join("a" if word == "per" else word for word in words), FULL
    for word in telling:
        strength = (HEAD if word == telling[-1] else WORD) if len(telling) > 1 else NARROWED
        yield word, strength
        yield from ((other, strength - 0.1) for other in OTHER_WORDS.get(word, ()))
    topics = column_topics(name)
    family = family or ("numeric" if MEASURED.intersection(topics) else None)
    for topic in topics:
        if not _is_about_other_things(topic, family):
            yield from _topic_phrases(topic, telling)


def _is_about_other_things(topic: str, family: str | None) -> bool:
    """Return whether a column of this family cannot be meant: a text holds no price."""
    if family == "numeric":
        return topic in NAMED
    return topic in MEASURED and family in ("text", "boolean")


def _topic_phrases(topic: str, telling: list[str]) -> Iterator[tuple[str, float]]:
    led = _leads(topic)
    others = " ".join(word for word in telling if stem(word) not in led)
    for phrase in TOPICS[topic].phrases:
        yield phrase, SYNONYM if not others else SYNONYM - 0.2
        if others and not re.search(r"\d", phrase):
            yield f"{others} {phrase}", NARROWED
            yield f"{phrase} {others}", SYNONYM
            yield f"{phrase} in the {others}", SYNONYM
            yield f"{phrase} on the {others}", SYNONYM
