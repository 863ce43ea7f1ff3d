"""Read answers without a model: an `AnswerParser` for conversations that end in decisions.

An answer is cut into statements; each is given to the key that it is about, the one asked for
unless its words say otherwise; and the statements of a key become values of members. What
stays open (`Yes` to whether anybody does, a number with no owner, two sons and one `my son`) is
left out, so that it is asked again; it is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ....catalogs.errors import QueryError
from ..keys import SIZE, Key, KeyTable, Known, Slot, Value
from ..roles import Parsed, Question
from .amounts import convert, is_age, unit_of
from .choices import choose_value
from .household import read_household
from .people import People
from .reading import Finding, read
from .statements import Statement, statements
from .topics import Topics, stems, topics_of
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
        new_names: dict[int, str] = {}
        if SIZE in question.slots:
            facts, new_names = read_household(answer, keys, known, names)
            known, names = {**known, **facts}, {**names, **new_names}
        people = People.of(known, names, keys)
        clauses = statements(answer, people, frozenset(slot.member or 0 for slot in question.slots))
        findings = _findings(question, clauses, keys, people)
        for finding in findings:
            facts |= _facts(finding, keys)
        unknown = [slot for finding in findings for slot in _unknown(finding, facts)]
        unsure = any(clause.unsure for clause in clauses)
        if unsure and SIZE in question.slots and SIZE not in facts:
            unknown.append(SIZE)
        return Parsed(facts, tuple(unknown), new_names)


def _findings(
    question: Question, clauses: Sequence[Statement], keys: KeyTable, people: People
) -> list[Finding]:
    """Return what the answer says of each key, those asked for first."""
    asked_keys = [keys.key(name) for name in question.keys if name != SIZE.key and name in keys]
    by_key: dict[str, list[Statement]] = {key.name: [] for key in asked_keys}
    topic = _Topic(topics_of(keys), question.text)
    for name, clause in _sorted_out(clauses, asked_keys, keys, topic):
        by_key.setdefault(name, []).append(clause)
    universal = bool(UNIVERSAL.match(question.text.strip()))
    findings: list[Finding] = []
    for name, own in by_key.items():
        key = keys.key(name)
        finding = Finding(key, _members(question, key, people), people.everyone)
        read(key, own, finding, universal=universal)
        findings.append(finding)
    return findings


def _members(question: Question, key: Key, people: People) -> tuple[int, ...]:
    """Return whom a question is about; 0 stands for the household."""
    slots = [slot for slot in question.slots if slot.key == key.name]
    return tuple(slot.member or 0 for slot in slots)


@dataclass(frozen=True)
class _Topic:
    """What the keys and the question are about."""

    topics: Topics
    question: str

    def score(self, clause: Statement, key: Key) -> float:
        """Return how much a statement is about a key that was asked for."""
        return self.topics.shared(clause.topical, key.name) + 10 * _names_value(clause, key)

    def echoes(self, content: Sequence[str]) -> bool:
        """Return whether a statement takes up a word of the question."""
        question_stems = stems(self.question)
        return any(alike(stem, word) for stem in content for word in question_stems)


def _sorted_out(
    clauses: Sequence[Statement], asked_keys: Sequence[Key], keys: KeyTable, topic: _Topic
) -> Iterator[tuple[str, Statement]]:
    """Yield each statement with every key that it is about.

    What comes first answers the question, unless its words are about something else alone.
    """
    first, aside = True, False
    for clause in clauses:
        aside = aside or clause.is_aside
        about = _aside(clause, asked_keys, keys, topic) if aside else None
        if about is None:
            about = _keys_about(clause, asked_keys, keys, topic, first=first)
        for name in about:
            yield name, clause
        first = first and clause.is_bare and clause.yes_no is None


def _aside(
    clause: Statement, asked_keys: Sequence[Key], keys: KeyTable, topic: _Topic
) -> Sequence[str] | None:
    """Return the key that something said by the way is about: one it names for certain, or none.

    None where it holds no topic of its own, and is read as what was asked for.
    """
    if not clause.topical:
        return _ages(clause, (), keys) or None
    among = [key.name for key in keys if _could_tell(clause, key)]
    other = topic.topics.other(clause.topical, among)
    return [] if other is None else [other]


def _keys_about(
    clause: Statement, asked_keys: Sequence[Key], keys: KeyTable, topic: _Topic, *, first: bool
) -> Iterable[str]:
    content = clause.topical
    names = [key.name for key in asked_keys]
    if not content or clause.unsure:
        return _ages(clause, asked_keys, keys) or names
    scores = {key.name: topic.score(clause, key) for key in asked_keys}
    best = max(scores.values(), default=0.0)
    fitting = [name for name in names if scores[name] == best]
    if first and best > 0:
        return fitting
    if first and (counted := [key.name for key in asked_keys if _counts(clause, key)]):
        return counted
    others = [key.name for key in keys if key.name not in names and _could_tell(clause, key)]
    other = topic.topics.other(content, others)
    if other is not None and topic.topics.shared(content, other) > AHEAD * best:
        return [other]
    if best > 0:
        return fitting
    if first or clause.amounts or clause.others or topic.echoes(content):
        return [key.name for key in asked_keys if _fits_anyway(clause, key)]
    return []


AHEAD = 1.3
"""How many times the weight of what was asked for another key needs, to be what is meant."""


def _ages(clause: Statement, asked_keys: Sequence[Key], keys: KeyTable) -> list[str]:
    """Return the key for age where a bare `Rob is 43` cannot be what was asked for."""
    is_said = any(word.low == "old" for word in clause.words)
    takes_numbers = not is_said and any(_fits_number(key) for key in asked_keys)
    is_bare = len(clause.amounts) == 1 and clause.amounts[0].unit in ("", "year")
    if (
        takes_numbers
        or not is_bare
        or len(clause.people) != 1
        or clause.amounts[0].money
        or clause.amounts[0].value > OLDEST
    ):
        return []
    return [key.name for key in keys if is_age(key)][:1]


OLDEST = 120
"""Years; a bare number beyond it is no age."""


def _fits_number(key: Key) -> bool:
    return key.kind in ("int", "float") or any(isinstance(value, int) for value in key.values)


def _names_value(clause: Statement, key: Key) -> bool:
    return key.kind == "choice" and choose_value(clause.words, key, denied=False) is not None


def _could_tell(clause: Statement, key: Key) -> bool:
    """Return whether a statement holds the kind of value that a key has."""
    if key.kind == "bool":
        return True
    return (
        _names_value(clause, key) if key.kind == "choice" else bool(clause.amounts) or clause.denied
    )


def _fits_anyway(clause: Statement, key: Key) -> bool:
    """Return whether a statement answers a key of which it shares no word."""
    if key.kind == "choice":
        return True
    if key.kind in ("int", "float"):
        return bool(clause.amounts) or clause.denied
    return clause.yes_no is not None or clause.is_elliptic


def _counts(clause: Statement, key: Key) -> bool:
    """Return whether a statement's number can be a key's, by what it counts."""
    if key.kind not in ("int", "float"):
        return False
    units = {amount.unit for amount in clause.amounts if convert(amount, key) is not None}
    return "" in units or (bool(units) and unit_of(key) in units)


def _facts(finding: Finding, keys: KeyTable) -> dict[Slot, Value]:
    facts: dict[Slot, Value] = {}
    if finding.key.level == "household":
        values = {
            value for member, value in finding.values.items() if member not in finding.disputed
        }
        if finding.key.kind == "bool" and True in values:
            values = {True}
        pairs = [(finding.key.slot(0), value) for value in values] if len(values) == 1 else []
    else:
        pairs = [
            (finding.key.slot(member), value)
            for member, value in sorted(finding.values.items())
            if member not in finding.disputed
        ]
    for slot, value in pairs:
        try:
            facts[slot] = keys.typed(slot, value)
        except QueryError:
            continue
    return facts


def _unknown(finding: Finding, facts: Mapping[Slot, Value]) -> list[Slot]:
    slots = [finding.key.slot(member) for member in sorted(finding.unknown)]
    return list(dict.fromkeys(slot for slot in slots if slot not in facts))
