"""What a request states clearly, before anything was asked.

Clear are the phrases marked so among the synonyms (`business class`, `with my toddler`), a sum of
money for an entry of numbers, and, for a schema without synonyms, a whole choice of one entry
alone. Linear in the request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ..language.common_words import rarity
from .answer_lexicon import NO, YES, clear_phrases, is_yes_no
from .answer_numbers import numbers
from .answer_signals import signals
from .answer_words import Meaning, Phrases, Word, cue_meanings, marks, phrase_of, plain_words
from .answers import LONGEST_READ, Answer
from .schema import NO_PREFERENCE, Entry, Schema, Value

TELLING_RARITY = 0.8
"""How rare a choice of one word has to be to be recognised where nobody asked for it."""

_MONEY_WORDS = frozenset({"dollar", "usd", "buck", "grand"})
_MONEY_BEFORE = frozenset({"budget", "spend", "spending", "cost", "price"})


def stated_in(schema: Schema, text: str) -> list[tuple[str, Answer]]:
    """Return the entries that a request states, with their values, in the schema's order."""
    text = text[:LONGEST_READ]
    words = plain_words(text)
    stated: dict[str, Answer] = {}
    contested: set[str] = set()
    for name, value, first, last in (
        *_phrases(schema, text, words),
        *_money(schema, text, words),
    ):
        start = words[first].start
        start -= start > 0 and text[start - 1] in "$€£"
        if name in stated and stated[name].value != value:
            contested.add(name)
        stated.setdefault(name, Answer(value, start, words[last].end))
    return [
        (entry.name, stated[entry.name])
        for entry in schema.entries
        if entry.name in stated and entry.name not in contested
    ]


def _phrases(
    schema: Schema, text: str, words: Sequence[Word]
) -> Iterator[tuple[str, Value, int, int]]:
    listed = clear_phrases(schema.entries)
    own = _whole_choices(schema) if len(listed.meanings) == len(cue_meanings()) else listed
    entries = {entry.name: entry for entry in schema.entries}
    heard = signals(words, marks(words, own))
    for one in heard:
        name, _, value = one.value.partition("\t")
        if one.kind != "value" or _is_in_a_name(text, words, one.mark.first):
            continue
        if one.negated:
            value = {YES: NO}.get(value, "") if is_yes_no(entries[name]) else ""
        if value and one.score > 0:
            yield name, value, one.mark.first, one.mark.last


def _is_in_a_name(text: str, words: Sequence[Word], at: int) -> bool:
    """Return whether a word goes on with a name: `Long Beach`, `to Adventure City`."""
    if not at or words[at].pause or not text[words[at].start].isupper():
        return False
    before = words[at - 1]
    named = text[before.start].isupper() and before.end - before.start > 3
    return named or before.text in ("to", "from", "in", "via")


@lru_cache(maxsize=64)
def _whole_choices(schema: Schema) -> Phrases:
    """Return the choices that stand in one entry alone and are no everyday word."""
    owners: dict[tuple[str, ...], list[Meaning]] = {}
    for entry in schema.entries:
        for choice in entry.choices:
            if choice not in (YES, NO, NO_PREFERENCE):
                owners.setdefault(phrase_of(choice), []).append(
                    Meaning("value", f"{entry.name}\t{choice}")
                )
    clear = {
        phrase: of[0]
        for phrase, of in owners.items()
        if len(of) == 1 and (len(phrase) > 1 or (phrase and rarity(phrase[0]) >= TELLING_RARITY))
    }
    return Phrases.of({**cue_meanings(), **clear})


def _money(
    schema: Schema, text: str, words: Sequence[Word]
) -> Iterator[tuple[str, Value, int, int]]:
    """Yield the one sum of money of a request, for an entry that is about money."""
    entry = next((e for e in schema.entries if e.is_number and is_money(e)), None)
    if entry is None:
        return
    low, high = entry.low, entry.high
    for number in numbers(words):
        within = (low is None or number.value >= low) and (high is None or number.value <= high)
        if within and _is_sum(text, words, number.first, number.last):
            value = number.value
            yield entry.name, int(value) if value.is_integer() else value, number.first, number.last


def is_money(entry: Entry) -> bool:
    """Return whether an entry is a sum of money."""
    return bool(re.search(r"budget|price|cost|dollar", f"{entry.name} {entry.label}".casefold()))


def _is_sum(text: str, words: Sequence[Word], first: int, last: int) -> bool:
    after = [word.text for word in words[last + 1 : last + 4]]
    if "per" in after or after[:2] in (["a", "day"], ["a", "night"], ["a", "person"]):
        return False
    start = words[first].start
    signed = start > 0 and text[start - 1] in "$€£"
    before = {word.text for word in words[max(0, first - 5) : first]}
    return signed or bool(_MONEY_WORDS.intersection(after[:1])) or bool(before & _MONEY_BEFORE)
