"""Answers written by hand with what they say, as a text file; and how many a parser gets right."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from concede.dialogs.eligibility.keys import SIZE, Slot, Value, keys_of
from concede.dialogs.eligibility.roles import AnswerParser, Parsed, Question

KEYS = keys_of(
    {
        "keys": [
            {"name": "relation", "kind": "choice", "description": "relation to the applicant",
             "values": ["self", "spouse", "child", "stepchild", "foster child", "adopted child",
                        "sibling", "parent", "friend"]},
            {"name": "age", "kind": "int", "description": "age in years", "high": 120},
            {"name": "smokes", "kind": "bool", "description": "smokes"},
            {"name": "citizen", "kind": "bool", "description": "is a citizen"},
            {"name": "drives", "kind": "bool", "description": "drives a car"},
            {"name": "salary", "kind": "int", "description": "yearly salary",
             "ask": "How much {do} {person} earn in a year?"},
            {"name": "months_unemployed", "kind": "int", "description": "months out of work"},
            {"name": "hours_per_week", "kind": "int", "description": "hours of work per week"},
            {"name": "grade", "kind": "choice", "description": "school grade",
             "values": ["none", "k", 1, 2, 3, 4, 5, 6, "college"]},
            {"name": "status", "kind": "choice", "description": "immigration status",
             "values": ["citizen", "permanent resident", "work visa", "other"]},
            {"name": "home_kind", "kind": "choice", "level": "household",
             "description": "kind of home", "values": ["rented flat", "own house", "houseboat"]},
            {"name": "rent", "kind": "int", "level": "household",
             "description": "monthly rent", "ask": "How much is your rent each month?"},
            {"name": "pets", "kind": "bool", "level": "household", "description": "has pets"},
            {"name": "veteran", "kind": "bool", "description": "served in the armed forces"},
            {"name": "uninsured", "kind": "bool", "description": "has no health insurance"},
            {"name": "savings", "kind": "float", "level": "household",
             "description": "savings in the bank"},
            {"name": "pregnant_months", "kind": "int", "description": "months pregnant"},
            {"name": "wheelchair", "kind": "bool", "description": "uses a wheelchair"},
        ]
    }
)  # fmt: skip


@dataclass(frozen=True)
class Spoken:
    """One answer: the household, the question, what was said, and what that says."""

    names: dict[int, str]
    relations: dict[int, str]
    question: Question
    answer: str
    facts: dict[Slot, Value]
    unknown: frozenset[Slot] = frozenset()
    line: int = 0

    def parsed(self, parser: AnswerParser) -> Parsed:
        """What a parser makes of it."""
        known: dict[Slot, Value] = {
            Slot(at, "relation"): relation for at, relation in self.relations.items()
        }
        if self.names:
            known[SIZE] = len(self.names)
        return parser.parse(self.question, self.answer, KEYS, known, self.names)

    def is_right(self, parsed: Parsed) -> bool:
        """Whether that is exactly what the answer says; relations of the known aside."""
        facts = {
            slot: value
            for slot, value in parsed.facts.items()
            if slot != Slot(0, "relation") and (slot.key != "relation" or not self.relations)
        }
        return facts == self.facts and frozenset(parsed.unknown) == self.unknown


@dataclass
class _Home:
    names: dict[int, str] = field(default_factory=dict)
    relations: dict[int, str] = field(default_factory=dict)


def read_spoken(path: Path) -> list[Spoken]:
    """The answers of a file."""
    return list(_read(path.read_text(encoding="utf-8").split("\n")))


def _read(lines: list[str]) -> Iterator[Spoken]:
    home, question, answer = _Home(), Question(""), ""
    for number, line in enumerate(lines, 1):
        if line.startswith("home:"):
            home = _home(line[5:])
        elif line.startswith("?"):
            question = _question(line[1:].split(maxsplit=2), home)
        elif line.startswith(">"):
            answer = line[1:].strip()
        elif line.startswith("="):
            facts, unknown = _said(line[1:])
            yield Spoken(
                home.names, home.relations, question, answer, facts, frozenset(unknown), number
            )


def _home(text: str) -> _Home:
    home = _Home()
    if "nobody yet" in text:
        return home
    for at, person in enumerate(text.split(",")):
        *name, relation = person.split()
        if relation == "child" and name[-1] in ("foster", "adopted"):
            relation, name = f"{name[-1]} child", name[:-1]
        home.names[at], home.relations[at] = " ".join(name), relation
    return home


def _question(parts: list[str], home: _Home) -> Question:
    name, whom, text = parts
    if name == "size":
        return Question(text, (SIZE,), (SIZE.key,))
    members = list(home.names) if whom == "all" else [0 if whom == "house" else int(whom)]
    slots = tuple(dict.fromkeys(KEYS.key(name).slot(at) for at in members))
    return Question(text, slots, (name,))


def _said(text: str) -> tuple[dict[Slot, Value], list[Slot]]:
    facts: dict[Slot, Value] = {}
    unknown: list[Slot] = []
    for statement in filter(None, (part.strip() for part in text.split(";"))):
        first, value = statement.split(maxsplit=1)
        if first == "unknown":
            unknown.append(_slot(value))
        else:
            slot = _slot(first)
            facts[slot] = KEYS.typed(slot, value)
    return facts, unknown


def _slot(text: str) -> Slot:
    if text == "size":
        return SIZE
    match = re.fullmatch(r"(\d+)\.(\w+)", text)
    return Slot(int(match[1]), match[2]) if match else Slot(None, text)
