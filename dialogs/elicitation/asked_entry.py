"""Which entry a question is about, told by its words: for questions that others wrote.

Each entry has the stems of its label, its question and, counted less, its choices; rare ones
weigh more. `question_words.json` adds how people ask otherwise. Linear in the question.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping
from functools import lru_cache
from math import log
from pathlib import Path

from ..language.column_phrases import stem
from .answer_lexicon import is_about_avoiding
from .schema import NO_PREFERENCE, Entry, Schema

LEAST = 0.2
"""Of an entry's own words, by weight: a question that holds fewer is about something else."""

CHOICE = 0.3
"""What a word of a choice counts beside one of the label or the question."""

UNNAMED, ANOTHER, PERSONAL = 0.75, 0.45, 0.85
"""What an entry counts for where questions name no section, or only others than its own; and
then one about the person."""

HINT, MOST_HINTS = 0.4, 2
"""What a way of asking about an entry adds, and how many count."""

TURNED = 0.75
"""What an entry about avoiding counts for where nothing in the question is about avoiding, and
any other where something is."""

LONGEST = 5
"""Words of a way of asking."""

_WORD = re.compile(r"[^\W_]+")

_AVOIDING = re.compile(
    r"\b(?:avoid\w*|dislik\w+|rather not|(?:stay|keep|shy) away|steer clear|hate|refuse|never"
    r"|(?:don't|do not|wouldn't|would not) (?:want|like))\b",
    re.IGNORECASE,
)

_REQUEST = re.compile(
    r"\s*(?:(?:so|and|now|okay|ok|then|please|kindly|first|next|also|just)\b,?\s*)*"
    r"(?:tell|give|state|share|name|specify|choose|pick|describe|indicate|mention"
    r"|let (?:me|us) know|i(?: would|'d) like to know|i need to know|i wonder)\b",
    re.IGNORECASE,
)


def is_asked(sentence: str) -> bool:
    """Return whether a sentence asks: by its mark, or as `tell me …`."""
    return sentence.rstrip(" \"'*)").endswith("?") or bool(_REQUEST.match(sentence))


def _key(word: str) -> str:
    """Return a word's stem, cut so that its forms agree: travel, travels, travelling."""
    return stem(word)[:6]


_PLAIN = frozenset(
    _key(word)
    for word in (
        "a an and any are at be by can could do does for from have how i if in is it like least "
        "like me of on one or our please prefer preferred preference should tell that the there "
        "to want what when where which who will with would you your need matter most type kind "
        "take"
    ).split()
)


def entry_asked(schema: Schema, text: str) -> Entry | None:
    """Return the entry that a question is about; None where it asks nothing or none fits.

    The entry with the largest share of its weight said, and most ways of asking, is the one
    meant.
    """
    asked = [part for part in re.split(r"(?<=[.!?])\s+", text) if is_asked(part)]
    stems = [[_key(word) for word in _WORD.findall(part.casefold())] for part in asked]
    words = {word for part in stems for word in part}
    if not words:
        return None
    said = words | {phrase for part in stems for phrase in _runs(part)}
    named = _sections(schema, said)
    avoiding = any(_AVOIDING.search(part) for part in asked)
    best, meant = LEAST, None
    for entry, weights in _weights(schema):
        score = sum(weight for word, weight in weights.items() if word in words)
        score += HINT * min(MOST_HINTS, len(_ways().get(entry.name, frozenset()) & said))
        if named and entry.section not in named:
            score *= PERSONAL if entry.section == "persona" else ANOTHER
        elif not named and _key(entry.section) in weights:
            score *= UNNAMED
        score *= 1.0 if is_about_avoiding(entry) == avoiding else TURNED
        if score > best:
            best, meant = score, entry
    return meant


def _runs(stems: list[str]) -> set[str]:
    """Return the runs of two to `LONGEST` words."""
    return {
        " ".join(stems[at : at + length])
        for length in range(2, LONGEST + 1)
        for at in range(len(stems) - length + 1)
    }


def _sections(schema: Schema, said: Collection[str]) -> set[str]:
    """Return the sections of a schema that a question names."""
    sections = {entry.section for entry in schema.entries}
    ways = _ways()
    return {
        section
        for section in sections
        if _key(section) in said or not ways.get(section, frozenset()).isdisjoint(said)
    }


@lru_cache(maxsize=1)
def _ways() -> Mapping[str, frozenset[str]]:
    """Return the ways of asking about entries and sections of travelling, by name, as stems."""
    text = Path(__file__).with_name("question_words.json").read_text(encoding="utf-8")
    listed: dict[str, dict[str, str]] = json.loads(text)
    return {
        name: frozenset(
            " ".join(_key(word) for word in _WORD.findall(phrase)) for phrase in phrases.split("|")
        )
        for part in ("sections", "entries")
        for name, phrases in listed[part].items()
    }


@lru_cache(maxsize=8)
def _weights(schema: Schema) -> tuple[tuple[Entry, dict[str, float]], ...]:
    own = [(entry, _own(entry)) for entry in schema.entries]
    seen = Counter(word for _, words in own for word in words)
    found: list[tuple[Entry, dict[str, float]]] = []
    for entry, words in own:
        weights = {w: share * log(1 + len(own) / seen[w]) for w, share in words.items()}
        # Not by the sum alone: an entry of many words is not asked about by all of them.
        total = sum(sorted(weights.values(), reverse=True)[:4]) or 1.0
        found.append((entry, {word: weight / total for word, weight in weights.items()}))
    return tuple(found)


def _own(entry: Entry) -> dict[str, float]:
    words: dict[str, float] = {}
    for choice in entry.choices:
        if choice not in (NO_PREFERENCE, "Yes", "No"):
            words.update(dict.fromkeys(_stems(choice), CHOICE))
    words.update(dict.fromkeys(_stems(f"{entry.label} {entry.question}"), 1.0))
    return words


def _stems(text: str) -> list[str]:
    stems = [_key(word) for word in _WORD.findall(text.casefold())]
    return [word for word in stems if word not in _PLAIN and len(word) > 1]
