"""Protocols of a conversation that ends in decisions, and the records passed between its parts.

A `Decider` (the program-synthesis agent, direct prompting, ReAct, random) asks questions and
reads answers until it has a decision on every program. An `AnswerParser` turns an answer into
facts, a `QuestionWriter` words a question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from .keys import KeyTable, Known, Slot, Value


@dataclass(frozen=True, slots=True)
class Question:
    """One turn of the agent: what it says, and which facts it asks for.

    `slots`: in order of members; a question about everyone has one for each of them. `keys`:
    their keys, in order. `program`, `line` (1-based), `code` and `requirement`: what made it
    necessary. `attempt`: 1 for the first time these slots are asked for. `disputed`: it asks
    which of two contradicting statements holds. A question of a baseline has no slots.
    """

    text: str
    slots: tuple[Slot, ...] = ()
    keys: tuple[str, ...] = ()
    program: str = ""
    line: int = 0
    code: str = ""
    requirement: str = ""
    attempt: int = 1
    disputed: bool = False

    def record(self) -> dict[str, Any]:
        """Return the question as a JSON object."""
        return {
            "text": self.text,
            "slots": [str(slot) for slot in self.slots],
            "keys": list(self.keys),
            "program": self.program,
            "line": self.line,
            "code": self.code,
            "requirement": self.requirement,
            "attempt": self.attempt,
            "disputed": self.disputed,
        }


@dataclass(frozen=True, slots=True)
class Parsed:
    """What an answer says.

    `facts`: values in their keys' types; any slot, asked about or not; `SIZE` for the number
    of people. `unknown`: slots the person says they do not know or will not tell. `names`:
    what members are called, by number (0 is the applicant).
    """

    facts: Mapping[Slot, Value] = field(default_factory=dict[Slot, Value])
    unknown: tuple[Slot, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict[int, str])


class AnswerParser(Protocol):
    """Turns what a person says into facts."""

    def parse(
        self,
        question: Question,
        answer: str,
        keys: KeyTable,
        known: Known,
        names: Mapping[int, str],
    ) -> Parsed:
        """Return what an answer to a question says; empty where it says nothing usable.

        What contradicts `known` is returned as it was said: the agent sees the contradiction.
        """
        ...


class QuestionWriter(Protocol):
    """Words a question."""

    def write(
        self, question: Question, keys: KeyTable, known: Known, names: Mapping[int, str]
    ) -> str:
        """Return the text of a question whose `text` is still empty."""
        ...


@dataclass(frozen=True, slots=True)
class Reason:
    """One executed line that a decision rests on: where, what it says, and the facts it read."""

    line: int
    code: str
    requirement: str
    facts: tuple[tuple[Slot, Value], ...]
    holds: bool | None = None

    def record(self) -> dict[str, Any]:
        """Return the reason as a JSON object."""
        return {
            "line": self.line,
            "code": self.code,
            "requirement": self.requirement,
            "facts": {str(slot): value for slot, value in self.facts},
            "holds": self.holds,
        }


@dataclass(frozen=True, slots=True)
class Decision:
    """What is decided about one program.

    `eligible`: None where it is undecided; then `missing` names the facts that could still
    decide it, and `why` says in words why they are missing. `reasons` lead to a decision.
    """

    program: str
    eligible: bool | None
    missing: tuple[Slot, ...] = ()
    why: str = ""
    reasons: tuple[Reason, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the decision as a JSON object."""
        return {
            "program": self.program,
            "eligible": self.eligible,
            "missing": [str(slot) for slot in self.missing],
            "why": self.why,
            "reasons": [reason.record() for reason in self.reasons],
        }


class Decider(Protocol):
    """Asks questions until it can decide: what a benchmark or a command line runs."""

    @property
    def turns(self) -> int:
        """How many questions were asked so far."""
        ...

    def next_question(self) -> Question | None:
        """Return the next question; None when no further one would help."""
        ...

    def observe(self, text: str) -> Parsed:
        """Take in the answer to the last question; return what was understood of it."""
        ...

    def decisions(self) -> Mapping[str, Decision]:
        """Return the decision on every program, by name, in the programs' order."""
        ...


MAX_QUESTIONS, QUESTIONS_A_PROGRAM = 100, 20
"""Questions in one conversation, and for each program of it (ProADA, section 2.7)."""


def most_questions(programs: Sequence[object]) -> int:
    """Return how many questions a conversation about these programs may have."""
    return min(MAX_QUESTIONS, QUESTIONS_A_PROGRAM * len(programs))
