"""Reads answers without a model: an `AnswerParser` for conversations that end in decisions.

An answer is cut into statements; each is given to the key that it is about, the one asked for
unless its words say otherwise; and the statements of a key become values of members. What
stays open (`Yes` to whether anybody does, a number with no owner, two sons and one `my son`) is
left out, so that it is asked again; it is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...catalogs.errors import QueryError
from ..decisions.keys import SIZE, Key, KeyTable, Known, Slot, Value
from ..decisions.roles import Parsed, Question
from .choices import chosen
from .household import read_household
from .people import People
from .reading import Heard, read
from .statements import Statement, statements
from .topics import Topics, stems, topics_of
from .units import converted, is_age, unit_of
from .words import alike

LONGEST_ANSWER = 2_000
"""Characters that are read; what follows is left out."""

UNIVERSAL = re.compile(
    r"^(?:do|does|is|are|has|have|can|did|was|were)\s+(?:everyone|everybody|all|each)\b", re.I
)


@dataclass(frozen=True)
class OfflineAnswerParser:
    """Understands yes and no, names and relations, numbers, choices, and several facts at once."""

    def parse(
        self,
        question: Question,
        answer: str,
        keys: KeyTable,
        known: Known,
        names: Mapping[int, str],
    ) -> Parsed:
        """See `AnswerParser.parse`."""
        answer = answer[:LONGEST_ANSWER]
        facts: dict[Slot, Value] = {}
        told_names: dict[int, str] = {}
        if SIZE in question.slots:
            facts, told_names = read_household(answer, keys, known, names)
            known, names = {**known, **facts}, {**names, **told_names}
        people = People.of(known, names, keys)
        told = statements(answer, people, frozenset(slot.member or 0 for slot in question.slots))
        heard = _heard(question, told, keys, people)
        for one in heard:
            facts |= _facts(one, keys)
        unknown = [slot for one in heard for slot in _unknown(one, facts)]
        if SIZE in question.slots and SIZE not in facts and any(one.unsure for one in told):
            unknown.append(SIZE)
        return Parsed(facts, tuple(unknown), told_names)


def _heard(
    question: Question, told: Sequence[Statement], keys: KeyTable, people: People
) -> list[Heard]:
    """Return what is heard of each key, those asked for first."""
    asked = [keys.key(name) for name in question.keys if name != SIZE.key and name in keys]
    by_key: dict[str, list[Statement]] = {key.name: [] for key in asked}
    for name, one in _sorted_out(told, asked, keys, _Topic(topics_of(keys), question.text)):
        by_key.setdefault(name, []).append(one)
    universal = bool(UNIVERSAL.match(question.text.strip()))
    found: list[Heard] = []
    for name, own in by_key.items():
        key = keys.key(name)
        heard = Heard(key, _members(question, key, people), people.everyone)
        read(key, own, heard, universal=universal)
        found.append(heard)
    return found


def _members(question: Question, key: Key, people: People) -> tuple[int, ...]:
    """Return whom a question is about; 0 stands for the household."""
    slots = [slot for slot in question.slots if slot.key == key.name]
    return tuple(slot.member or 0 for slot in slots)


@dataclass(frozen=True)
class _Topic:
    """What the keys and the question are about."""

    topics: Topics
    question: str

    def score(self, one: Statement, key: Key) -> float:
        """Return how much a statement is about a key that was asked for."""
        return self.topics.shared(one.topical, key.name) + 10 * _names_value(one, key)

    def echoes(self, content: Sequence[str]) -> bool:
        """Return whether a statement takes up a word of the question."""
        asked = stems(self.question)
        return any(alike(one, word) for one in content for word in asked)


def _sorted_out(
    told: Sequence[Statement], asked: Sequence[Key], keys: KeyTable, topic: _Topic
) -> Iterator[tuple[str, Statement]]:
    """Yield each statement with every key that it is about.

    What comes first answers the question, unless its words are about something else alone.
    """
    first, aside = True, False
    for one in told:
        aside = aside or one.is_aside
        about = _aside(one, asked, keys, topic) if aside else None
        if about is None:
            about = _keys_about(one, asked, keys, topic, first=first)
        for name in about:
            yield name, one
        first = first and one.is_bare and one.said is None


def _aside(
    one: Statement, asked: Sequence[Key], keys: KeyTable, topic: _Topic
) -> Sequence[str] | None:
    """Return the key that something said by the way is about: one it names for certain, or none.

    None where it holds no topic of its own, and is read as what was asked for.
    """
    if not one.topical:
        return _ages(one, (), keys) or None
    among = [key.name for key in keys if _could_tell(one, key)]
    other = topic.topics.other(one.topical, among)
    return [] if other is None else [other]


def _keys_about(
    one: Statement, asked: Sequence[Key], keys: KeyTable, topic: _Topic, *, first: bool
) -> Iterable[str]:
    content = one.topical
    names = [key.name for key in asked]
    if not content or one.unsure:
        return _ages(one, asked, keys) or names
    scores = {key.name: topic.score(one, key) for key in asked}
    best = max(scores.values(), default=0.0)
    fitting = [name for name in names if scores[name] == best]
    if first and best > 0:
        return fitting
    if first and (counted := [key.name for key in asked if _counts(one, key)]):
        return counted
    others = [key.name for key in keys if key.name not in names and _could_tell(one, key)]
    other = topic.topics.other(content, others)
    if other is not None and topic.topics.shared(content, other) > AHEAD * best:
        return [other]
    if best > 0:
        return fitting
    if first or one.amounts or one.others or topic.echoes(content):
        return [key.name for key in asked if _fits_anyway(one, key)]
    return []


AHEAD = 1.3
"""How many times the weight of what was asked for another key needs, to be what is meant."""


def _ages(one: Statement, asked: Sequence[Key], keys: KeyTable) -> list[str]:
    """Return the key for age where a bare `Rob is 43` cannot be what was asked for."""
    is_said = any(word.low == "old" for word in one.words)
    takes_numbers = not is_said and any(_fits_number(key) for key in asked)
    is_bare = len(one.amounts) == 1 and one.amounts[0].unit in ("", "year")
    if (
        takes_numbers
        or not is_bare
        or len(one.people) != 1
        or one.amounts[0].money
        or one.amounts[0].value > OLDEST
    ):
        return []
    return [key.name for key in keys if is_age(key)][:1]


OLDEST = 120
"""Years; a bare number beyond it is no age."""


def _fits_number(key: Key) -> bool:
    return key.kind in ("int", "float") or any(isinstance(one, int) for one in key.values)


def _names_value(one: Statement, key: Key) -> bool:
    return key.kind == "choice" and chosen(one.words, key, denied=False) is not None


def _could_tell(one: Statement, key: Key) -> bool:
    """Return whether a statement holds the kind of value that a key has."""
    if key.kind == "bool":
        return True
    return _names_value(one, key) if key.kind == "choice" else bool(one.amounts) or one.denied


def _fits_anyway(one: Statement, key: Key) -> bool:
    """Return whether a statement answers a key of which it shares no word."""
    if key.kind == "choice":
        return True
    if key.kind in ("int", "float"):
        return bool(one.amounts) or one.denied
    return one.said is not None or one.is_elliptic


def _counts(one: Statement, key: Key) -> bool:
    """Return whether a statement's number can be a key's, by what it counts."""
    if key.kind not in ("int", "float"):
        return False
    units = {amount.unit for amount in one.amounts if converted(amount, key) is not None}
    return "" in units or (bool(units) and unit_of(key) in units)


def _facts(heard: Heard, keys: KeyTable) -> dict[Slot, Value]:
    found: dict[Slot, Value] = {}
    if heard.key.level == "household":
        values = {value for at, value in heard.values.items() if at not in heard.disputed}
        if heard.key.kind == "bool" and True in values:
            values = {True}
        pairs = [(heard.key.slot(0), value) for value in values] if len(values) == 1 else []
    else:
        pairs = [
            (heard.key.slot(at), value)
            for at, value in sorted(heard.values.items())
            if at not in heard.disputed
        ]
    for slot, value in pairs:
        try:
            found[slot] = keys.typed(slot, value)
        except QueryError:
            continue
    return found


def _unknown(heard: Heard, facts: Mapping[Slot, Value]) -> list[Slot]:
    slots = [heard.key.slot(at) for at in sorted(heard.unknown)]
    return list(dict.fromkeys(slot for slot in slots if slot not in facts))
