"""Words for much or little of something: `cheapest`, `newish`, `not too far`, `as many as`.

The adjectives and their topics come from the lexicon; their comparatives, superlatives and
diminutives are formed here. A word that fits any column (`highest`, `most`) has no topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from .column_phrases import TOPICS

Form = Literal["plain", "more", "most", "ish"]

_ANY = (
    ("max", "plain", "many much lot lots plenty loads tons heaps oodles ample bags full"),
    ("max", "more", "more"),
    ("max", "most", "most maximum maximal maximise maximize max top"),
    ("min", "plain", "few little hardly barely scarcely bit minimal slight less"),
    ("min", "more", "fewer less"),
    ("min", "most", "least fewest minimum minimal minimise minimize min bottom"),
)
"""Words for much or little of whatever column is named that are no adjectives to be compared."""

_ADJECTIVES = (
    "high large big great long wide deep tall strong good decent generous healthy massive huge "
    "heavy substantial extensive serious fat far fast late thick broad vast sizeable proper",
    "low small short little bad tiny modest light thin narrow slim wee shallow weak poor near "
    "quick early soon",
)
"""Adjectives for much and for little of whatever column is named."""

_IRREGULAR = {
    "good": ("better", "best"),
    "well": ("better", "best"),
    "badly": ("worse", "worst"),
    "bad": ("worse", "worst"),
    "far": ("farther", "farthest"),
    "little": ("less", "least"),
}


@dataclass(frozen=True, slots=True)
class Grade:
    """What a word says: which end of which topic (empty: any column), and in what form."""

    topic: str
    direction: Literal["min", "max"]
    form: Form


def _degrees(adjective: str, compared: frozenset[str]) -> Iterator[tuple[str, Form]]:
    """Yield an adjective's forms; of several words the first is compared (`close by`), if any."""
    first, space, rest = adjective.partition(" ")
    yield adjective, "plain"
    if first not in compared:
        return
    for degree, form in (("more", "more"), ("most", "most"), ("less", "more"), ("least", "most")):
        yield f"{degree} {adjective}", form  # type: ignore[misc]
    if first in _IRREGULAR:
        more, most = _IRREGULAR[first]
    else:
        base = re.sub("(?<=[a-z]{2})e?y$", "i", first).removesuffix("e")
        double = first == base and len(base) < 5 and base[-1] in "bdgnt" and base[-2:-1] in "aeiou"
        base += base[-1] if double and base[-3:-2] not in tuple("aeiou") else ""
        more, most = f"{base}er", f"{base}est"
    yield f"{more}{space}{rest}", "more"
    yield f"{most}{space}{rest}", "most"
    yield f"{first}ish{space}{rest}", "ish"


def _listed() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the adjectives of each topic and of any column (no topic), by direction."""
    for direction, words in zip(("max", "min"), _ADJECTIVES, strict=True):
        yield "", direction, tuple(words.split())
    for topic, entry in TOPICS.items():
        yield topic, "max", entry.much
        yield topic, "min", entry.little


@cache
def grades() -> dict[tuple[str, ...], tuple[Grade, ...]]:
    """Return what every gradable word or phrase may mean, by its words."""
    found: dict[tuple[str, ...], dict[Grade, None]] = {}
    listed = [*_listed()]
    compared = frozenset(word for _, _, words in listed for word in words if " " not in word)
    for topic, direction, adjectives in listed:
        for adjective in adjectives:
            for phrase, form in _degrees(adjective, compared):
                turned = phrase.startswith(("less ", "least "))
                way = direction if not turned else "min" if direction == "max" else "max"
                grade = Grade(topic, way, form)  # type: ignore[arg-type]
                found.setdefault(tuple(phrase.split()), {})[grade] = None
    for direction, form, words in _ANY:
        for word in words.split():
            grade = Grade("", direction, form)  # type: ignore[arg-type]
            found.setdefault((word,), {})[grade] = None
    return {words: tuple(meanings) for words, meanings in found.items()}


LONGEST_GRADE = max(map(len, grades()))
"""Words of the longest such phrase."""

GRADE_WORDS = {
    letter: tuple(sorted({word for words in grades() for word in words if word[0] == letter}))
    for letter in sorted({word[0] for words in grades() for word in words})
}
"""All their words by their first letters, for those that are misspelled."""
