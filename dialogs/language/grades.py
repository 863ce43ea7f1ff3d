"""Words for much or little of something: `cheapest`, `newish`, `not too far`, `as many as`.

The adjectives and their topics come from the lexicon; their comparatives, superlatives and
diminutives are formed here. A word that fits any column (`highest`, `most`) has no topic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from .column_phrases import TOPICS

Form = Literal["plain", "more", "most", "ish"]

_ANY: dict[str, dict[Form, str]] = {
    "max": {
        "most": "most highest greatest largest biggest maximum maximal maximise maximize max "
        "longest best top strongest widest deepest tallest furthest",
        "more": "more higher greater larger bigger longer better wider deeper",
        "plain": "many much high long large big lot lots plenty good loads ample strong decent",
    },
    "min": {
        "most": "least lowest fewest smallest minimum minimal minimise minimize min shortest worst",
        "more": "fewer less lower smaller shorter",
        "plain": "few little low short small",
    },
}
_IRREGULAR = {
    "good": ("better", "best"),
    "well": ("better", "best"),
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


def _degrees(adjective: str) -> Iterator[tuple[str, Form]]:
    """Yield an adjective's forms; of several words the first is compared (`close by`)."""
    first, space, rest = adjective.partition(" ")
    yield adjective, "plain"
    for degree, form in (("more", "more"), ("most", "most"), ("less", "more"), ("least", "most")):
        yield f"{degree} {adjective}", form  # type: ignore[misc]
    if first in _IRREGULAR:
        more, most = _IRREGULAR[first]
    else:
        base = first[:-1] if first.endswith("e") else first
        base = base[:-1] + "i" if base.endswith("y") and len(base) > 3 else base
        double = first == base and len(base) < 5 and base[-1] in "bdgnt" and base[-2:-1] in "aeiou"
        base += base[-1] if double and base[-3:-2] not in tuple("aeiou") else ""
        more, most = f"{base}er", f"{base}est"
    yield f"{more}{space}{rest}", "more"
    yield f"{most}{space}{rest}", "most"
    yield f"{first}ish{space}{rest}", "ish"


@cache
def grades() -> dict[tuple[str, ...], tuple[Grade, ...]]:
    """Return what every gradable word or phrase may mean, by its words."""
    found: dict[tuple[str, ...], list[Grade]] = {}
    for topic, entry in TOPICS.items():
        for direction, other, adjectives in (
            ("max", "min", entry.much),
            ("min", "max", entry.little),
        ):
            for adjective in adjectives:
                for phrase, form in _degrees(adjective):
                    turned = phrase.startswith(("less ", "least "))
                    grade = Grade(topic, other if turned else direction, form)  # type: ignore[arg-type]
                    found.setdefault(tuple(phrase.split()), []).append(grade)
    for direction, forms in _ANY.items():
        for form, words in forms.items():
            for word in words.split():
                grade = Grade("", direction, form)  # type: ignore[arg-type]
                found.setdefault((word,), []).append(grade)
    return {words: tuple(dict.fromkeys(meanings)) for words, meanings in found.items()}


GRADE_WORDS = tuple({word for words in grades() for word in words if len(word) > 4})
"""The longer words of them, for those that are misspelled."""
