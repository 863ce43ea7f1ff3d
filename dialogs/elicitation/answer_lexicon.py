"""What people say for the values of an entry: its choices, their words, and listed synonyms.

Any schema works from the words of its choices; `travel_synonyms.json` adds what people say for
those of the travel schema. Compiled once an entry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from .answer_words import Meaning, Phrase, Phrases, cue_meanings, phrase_of
from .schema import NO_PREFERENCE, Entry

WHOLE, LISTED, PART = 1.0, 0.95, 0.7
"""Strength of a whole choice, of a listed synonym, and of a word that only one choice has."""

UNTELLING = frozenset(
    "more less than hour best good other any none no not and or for the with without free paid fee "
    "option choice under over room service type need preferred prefer avoid can allow option a an "
    "to of in on at".split()
)
"""Words of a choice or a label that say nothing by themselves."""

YES, NO = "Yes", "No"


def is_yes_no(entry: Entry) -> bool:
    """Return whether an entry is answered by yes or no."""
    return {YES, NO} <= set(entry.choices)


def is_about_avoiding(entry: Entry) -> bool:
    """Return whether the entry's value is what the person does not want."""
    return bool(re.search(r"avoid|dislike|exclude|unwanted", f"{entry.name} {entry.label}"))


@lru_cache(maxsize=512)
def phrases_of(entry: Entry) -> Phrases:
    """Return the phrases of an entry's values, with the cues about no subject."""
    meanings = dict(cue_meanings())
    own: dict[Phrase, Meaning] = {}
    for text, meaning in (*_listed(entry), *_choices(entry), *_parts(entry)):
        phrase = phrase_of(text)
        if phrase and phrase not in own:
            own[phrase] = meaning
    meanings.update(own)
    for phrase in _topics(entry):
        meanings.setdefault(phrase, Meaning("topic"))
    return Phrases.of(meanings)


@lru_cache(maxsize=64)
def clear_phrases(entries: tuple[Entry, ...]) -> Phrases:
    """Return the phrases that mean a value of an entry even where nobody asked about it.

    The value of each is the entry's name, a tab, and the value.
    """
    meanings: dict[Phrase, Meaning] = {}
    for entry in entries:
        for value, texts in _synonyms()["entries"].get(entry.name, {}).items():
            for text in texts.split("|"):
                if text.startswith("!") and value in entry.choices:
                    meanings.setdefault(phrase_of(text), Meaning("value", f"{entry.name}\t{value}"))
    return Phrases.of({**cue_meanings(), **meanings})


def _choices(entry: Entry) -> Iterator[tuple[str, Meaning]]:
    for choice in entry.choices:
        if choice in (YES, NO):
            continue
        kind = "no_preference" if choice == NO_PREFERENCE else "value"
        yield choice, Meaning(kind, choice, WHOLE)


def _listed(entry: Entry) -> Iterator[tuple[str, Meaning]]:
    listed: dict[str, str] = _synonyms()["entries"].get(entry.name, {})
    for choice in entry.choices or listed:
        texts = f"{listed.get(choice, '')}|{_synonyms()['shared'].get(choice, '')}"
        for text in filter(None, texts.split("|")):
            yield text.strip("!~"), Meaning("value", choice, LISTED, text.startswith("~"))


def _parts(entry: Entry) -> Iterator[tuple[str, Meaning]]:
    """Yield the words that only one choice has; of a yes or no, those of the label."""
    if is_yes_no(entry):
        label = entry.label.rpartition(":")[2]
        words = [word for word in phrase_of(label) if word not in UNTELLING]
        yield " ".join(words), Meaning("value", YES, PART)
        for word in words:
            yield word, Meaning("value", YES, PART)
    if entry.name in _synonyms()["entries"]:
        return
    owners: dict[str, set[str]] = {}
    for choice in entry.choices:
        if choice not in (YES, NO, NO_PREFERENCE):
            for word in phrase_of(choice):
                owners.setdefault(word, set()).add(choice)
    asked = {*phrase_of(entry.label), *phrase_of(entry.question), *UNTELLING}
    for word, choices in owners.items():
        if len(choices) == 1 and word not in asked and not word.isdigit() and len(word) > 2:
            choice = min(choices)
            for form in (word, f"{word}ly"):
                yield form, Meaning("value", choice, PART, choice.startswith("No "))


def _topics(entry: Entry) -> Iterator[Phrase]:
    """Yield the words for what the entry is about, which a refusal may name."""
    words = phrase_of(entry.label.rpartition(":")[2])
    yield from ((word,) for word in words if word not in UNTELLING)


@lru_cache(maxsize=1)
def _synonyms() -> dict[str, Any]:
    path = Path(__file__).with_name("travel_synonyms.json")
    return json.loads(path.read_text(encoding="utf-8"))
