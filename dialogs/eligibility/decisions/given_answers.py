"""Read answers from JSON: a profile of facts, people in a list, or answers to questions.

    {"age": 70, "receives_snap": "no", "1.age": 66, "len(hh)": 2}
    [{"age": 70}, {"age": 66}]
    {"household": {"housing": "flat"}, "members": [{"age": 70}, {"age": 66}]}
    {"How old are you?": "I turned 70"}
    [{"question": "How old are you?", "answer": "70"}]

A key without a number is the applicant's; `null` says that nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from ....catalogs.errors import QueryError, excerpt
from ..keys import MAX_MEMBERS, SIZE, Key, KeyTable, Slot, Value
from ..roles import AnswerParser, Question
from .agent import check_household

MAX_FACTS = 20_000

SIZE_NAMES = frozenset(
    ("len(hh)", "household_size", "household size", "family_size", "size", "people")
)


@dataclass
class GivenAnswers:
    """Facts, slots nobody can tell, and names that no program asks for."""

    facts: dict[Slot, Value] = field(default_factory=dict[Slot, Value])
    unknown: dict[Slot, None] = field(default_factory=dict[Slot, None])
    ignored: list[str] = field(default_factory=list[str])


def read_answers(answers: object, keys: KeyTable, parser: AnswerParser) -> GivenAnswers:
    """Return the facts of a JSON value; raise `QueryError` for a value that fits no key."""
    reader = _Reader(keys, parser)
    for name, member, value in _pairs(answers):
        reader.take(name, member, value)
    reader.answers.facts = check_household(reader.answers.facts, keys)
    reader.answers.ignored = list(dict.fromkeys(reader.answers.ignored))
    return reader.answers


def _pairs(answers: object) -> Iterator[tuple[str, int | None, object]]:
    """Yield names, the member they are said of (None: not said), and values."""
    if isinstance(answers, list):
        yield from _people(cast("list[object]", answers))
        return
    if not isinstance(answers, dict):
        raise QueryError(f"{excerpt(answers)} are no answers", hint='write {"key": value, …}')
    record = cast("dict[str, object]", answers)
    if len(record) > MAX_FACTS:
        raise QueryError(f"{len(record):,} answers", hint=f"give at most {MAX_FACTS:,}")
    for name, value in record.items():
        if name == "members" and isinstance(value, list):
            yield from _people(cast("list[object]", value))
        elif name in ("household", "answers", "facts") and isinstance(value, dict | list):
            yield from _pairs(cast("object", value))
        else:
            yield name, None, value


def _people(people: list[object]) -> Iterator[tuple[str, int | None, object]]:
    records = [cast("dict[str, object]", person) for person in people if isinstance(person, dict)]
    if len(records) != len(people):
        raise QueryError(f"{excerpt(people)} are no people", hint="write an object for each")
    if records and all(_as_pair(record) for record in records):
        for record in records:
            name, value = _as_pair(record) or ("", None)
            yield name, None, value
        return
    if not 1 <= len(records) <= MAX_MEMBERS:
        raise QueryError(f"{len(records)} people", hint=f"give 1 to {MAX_MEMBERS}")
    yield SIZE.key, None, len(records)
    for member, record in enumerate(records):
        for name, value in list(record.items())[:MAX_FACTS]:
            yield name, member, value


def _as_pair(record: Mapping[str, object]) -> tuple[str, object] | None:
    for name in ("question", "key", "slot", "id", "name"):
        for value in ("answer", "value"):
            if set(record) == {name, value} and isinstance(record[name], str):
                return cast("str", record[name]), record[value]
    return None


class _Reader:
    def __init__(self, keys: KeyTable, parser: AnswerParser) -> None:
        self.keys = keys
        self.parser = parser
        self.answers = GivenAnswers()
        self.by_words: dict[str, Key] = {}
        for key in keys:
            for words in (key.name, key.ask, key.ask_all, key.description):
                self.by_words.setdefault(_folded(words), key)

    def take(self, name: str, member: int | None, value: object) -> None:
        """Take in one answer."""
        if name.casefold() in SIZE_NAMES and name not in self.keys:
            self._fact(SIZE, value)
            return
        index, dot, rest = name.partition(".")
        if dot and member is None and index.isdigit() and len(index) < 4:
            member, name = int(index), rest
        key = self.by_words.get(_folded(name))
        if key is None:
            self.answers.ignored.append(name)
        elif key.level == "household" and member:
            # What is one for the whole household is what the applicant says of it.
            return
        elif isinstance(value, list) and key.level == "member" and member is None:
            for person, entry in enumerate(cast("list[object]", value)[:MAX_MEMBERS]):
                self._fact(Slot(person, key.name), entry)
        else:
            self._fact(key.slot(member or 0), cast("object", value))

    def _fact(self, slot: Slot, value: object) -> None:
        if value is None:
            self.answers.unknown[slot] = None
            return
        try:
            typed = self.keys.typed(slot, value)
        except QueryError:
            if not isinstance(value, str):
                raise
            typed = self._parsed_value(slot, value)
        before = self.answers.facts.get(slot)
        if before is not None and before != typed:
            raise QueryError(f"{slot} is given twice: {excerpt(before)} and {excerpt(typed)}")
        self.answers.facts[slot] = typed

    def _parsed_value(self, slot: Slot, text: str) -> Value:
        """Return what an answer in words says."""
        key = self.keys.key(slot.key)
        question = Question(key.ask, (slot,), (slot.key,))
        parsed = self.parser.parse(question, text[:2_000], self.keys, {}, {})
        if slot not in parsed.facts:
            raise QueryError(
                f"the answer {excerpt(text)} to {slot} is not understood",
                hint=f"give {key.expected}",
            )
        return parsed.facts[slot]


def _folded(text: str) -> str:
    return " ".join(text.casefold().rstrip("?.: ").split())
