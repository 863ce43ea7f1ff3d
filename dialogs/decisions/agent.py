"""The agent whose questions are what its programs miss (ProADA), over many programs at once.

    agent = DecisionAgent(programs, keys)
    while question := agent.next_question():
        agent.hear(input(question.text))
    for decision in agent.decisions().values(): …

Everything it does follows from what was heard: the same conversation gives the same questions
and decisions in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...catalogs.errors import QueryError, shown
from ..transcript import Message, Transcript
from .asking import Ask, line_of
from .board import Board
from .explaining import reasons_for
from .keys import MAX_MEMBERS, SIZE, KeyTable, Known, Slot, Value
from .planning import Planner, get_planner
from .program import Program
from .questions import OfflineQuestionWriter, disputed_text
from .roles import (
    AnswerParser,
    Decision,
    Parsed,
    Question,
    QuestionWriter,
    most_questions,
)

if TYPE_CHECKING:
    from .sandboxed import SecondOpinion

ATTEMPTS = 3
"""How often a key is asked for before it counts as one that nobody can tell."""

MAX_ANSWER = 20_000
"""Characters of one answer that are read."""


class DecisionAgent:
    """Asks, hears and decides; see the module. A `Decider`."""

    def __init__(
        self,
        programs: Iterable[Program],
        keys: KeyTable,
        *,
        planner: Planner | str = "joint",
        parser: AnswerParser | None = None,
        writer: QuestionWriter | None = None,
        known: Known | None = None,
        names: Mapping[int, str] | None = None,
        max_questions: int | None = None,
        opinion: SecondOpinion | None = None,
    ) -> None:
        held = tuple(programs)
        for program in held:
            program.check_keys(keys)
        self.board = Board(held, keys)
        self.planner = get_planner(planner) if isinstance(planner, str) else planner
        self.parser: AnswerParser = parser or _offline_parser()
        self.writer: QuestionWriter = writer or OfflineQuestionWriter()
        self.names: dict[int, str] = dict(names or {})
        self.max_questions = most_questions(held) if max_questions is None else max_questions
        self.opinion = opinion
        self.messages: list[Message] = []
        self.questions: list[Question] = []
        self._attempts: dict[Slot, int] = {}
        self._disputes: dict[Slot, tuple[Value, Value]] = {}
        for slot, value in (known or {}).items():
            self.board.learn(slot, keys.typed(slot, value))

    @property
    def programs(self) -> Sequence[Program]:
        """The programs, in order."""
        return self.board.programs

    @property
    def keys(self) -> KeyTable:
        """The keys the programs share."""
        return self.board.keys

    @property
    def known(self) -> Known:
        """What is known so far."""
        return self.board.known

    @property
    def transcript(self) -> Transcript:
        """All that was said."""
        return Transcript(tuple(self.messages))

    @property
    def turns(self) -> int:
        """How many questions were asked."""
        return len(self.questions)

    def next_question(self) -> Question | None:
        """Return the next question; None when nothing more can be settled, or enough was asked."""
        if self.turns >= self.max_questions:
            return None
        question = self._disputed() or self._planned()
        if question is None:
            return None
        self.questions.append(question)
        self.messages.append(Message("assistant", question.text))
        return question

    def take_back(self) -> None:
        """Take the last question back: nobody answers it."""
        if self.questions:
            self.questions.pop()
            self.messages.pop()

    def open_questions(self) -> list[Question]:
        """Return what could still be asked, the next question first, a key at a time."""
        found: list[Question] = []
        asked: set[str] = set()
        first = self.planner.next(self.board) if self.turns < self.max_questions else None
        if first is not None:
            found.append(self._worded(first))
            asked.update(first.keys)
        for program in self.programs:
            for slot in self.board.askable(program):
                if slot.key not in asked:
                    asked.add(slot.key)
                    line = line_of(self.board, program, slot)
                    slots = self.board.everyone(slot.key)
                    found.append(self._worded(Ask(slots, (slot.key,), program.name, line)))
        return found

    def question_record(self, question: Question) -> dict[str, Any]:
        """Return a question as JSON, with what its keys are and which programs need them."""
        keys = [self.keys.key(name) for name in question.keys]
        needed = [
            program.name
            for program in self.programs
            if {slot.key for slot in self.board.askable(program)} & set(question.keys)
        ]
        record = question.record() | {"programs": needed}
        return record | {"expects": [key.record() | {"answer": key.expected} for key in keys]}

    def _disputed(self) -> Question | None:
        """Return the question which of two statements holds, where it still matters."""
        for slot, (first, second) in self._disputes.items():
            if slot in self.board.closed:
                continue
            program = next((p for p in self.programs if slot in self.board.askable(p)), None)
            if program is not None:
                ask = Ask((slot,), (slot.key,), program.name, 0)
                text = disputed_text(slot, first, second, self.keys, self.names)
                return replace(self._question(ask), text=text, disputed=True)
        return None

    def _planned(self) -> Question | None:
        ask = self.planner.next(self.board)
        return None if ask is None else self._worded(ask)

    def _worded(self, ask: Ask) -> Question:
        question = self._question(ask)
        text = self.writer.write(question, self.keys, self.known, self.names)
        return replace(question, text=text)

    def _question(self, ask: Ask) -> Question:
        program = next(one for one in self.programs if one.name == ask.program)
        attempt = 1 + max(self._attempts.get(slot, 0) for slot in ask.slots)
        hints = program.hint(ask.line) or "; ".join(program.hints_of(ask.keys[0])[:1])
        return Question(
            "",
            ask.slots,
            ask.keys,
            program.name,
            ask.line,
            program.code(ask.line),
            hints,
            attempt,
        )

    def hear(self, text: str) -> Parsed:
        """Take in the answer to the last question; return what was understood of it.

        Raises `QueryError` before the first question, and `ModelError` of the parser.
        """
        if not self.questions:
            raise QueryError("nothing was asked yet", hint="call next_question first")
        question = self.questions[-1]
        text = text[:MAX_ANSWER]
        self.messages.append(Message("user", text))
        parsed = self.parser.parse(question, text, self.keys, self.known, self.names)
        parsed = replace(parsed, facts=self._sound(parsed.facts))
        self.tell(parsed.facts, settles=question.slots if question.disputed else ())
        self.names.update(
            {at: name[:80] for at, name in parsed.names.items() if 0 <= at < MAX_MEMBERS}
        )
        for slot in parsed.unknown:
            if slot not in self.board.known:
                self.board.closed[slot] = "the person does not know"
        self._count(question, parsed)
        return parsed

    def _sound(self, facts: Mapping[Slot, Value]) -> dict[Slot, Value]:
        """Return the facts that fit their keys; a parser may be a model."""
        found: dict[Slot, Value] = {}
        for slot, value in facts.items():
            try:
                key = self.keys.key(slot.key)
                typed = key.typed(value)
            except QueryError:
                continue
            is_member = slot.member is not None and 0 <= slot.member < MAX_MEMBERS
            if is_member if key.level == "member" else slot.member is None:
                found[slot] = typed
        return found

    def tell(self, facts: Known, *, settles: Sequence[Slot] = ()) -> None:
        """Take in facts; what contradicts an earlier one is asked about, unless it `settles`."""
        for slot, value in facts.items():
            before = self.board.known.get(slot)
            if slot in settles or before is None or before == value:
                if slot in settles or slot not in self._disputes:
                    self._disputes.pop(slot, None)
                    self.board.learn(slot, value)
            else:
                self._disputes[slot] = (before, value)
                self.board.forget(slot)

    def _count(self, question: Question, parsed: Parsed) -> None:
        for slot in question.slots:
            if slot in self.board.known or slot in self.board.closed:
                continue
            self._attempts[slot] = self._attempts.get(slot, 0) + 1
            if self._attempts[slot] >= ATTEMPTS:
                why = "contradicting answers" if slot in self._disputes else "no usable answer"
                self.board.closed[slot] = why

    def decisions(self) -> dict[str, Decision]:
        """Return the decision on every program, by name, in the programs' order."""
        return {program.name: self._decision(program) for program in self.programs}

    @property
    def undecided(self) -> dict[str, tuple[Slot, ...]]:
        """The programs that are not decided, with the facts that are missing."""
        found = self.decisions()
        return {name: one.missing for name, one in found.items() if one.eligible is None}

    def _decision(self, program: Program) -> Decision:
        found = self.board.evaluation(program)
        if found.outcome is not None:
            if why := self._objection(program, found.outcome):
                return Decision(program.name, None, why=why)
            reasons = reasons_for(program, self.board.known, self.keys, found.outcome)
            return Decision(program.name, found.outcome, reasons=reasons)
        if found.error:
            return Decision(program.name, None, why=f"the program fails: {found.error}")
        return Decision(program.name, None, found.relevant, self._why(found.relevant))

    def _objection(self, program: Program, outcome: bool) -> str:
        if self.opinion is None:
            return ""
        return self.opinion.objection(program, self.board.known, self.keys, outcome)

    def _why(self, missing: Sequence[Slot]) -> str:
        reasons = {self.board.closed[slot] for slot in missing if slot in self.board.closed}
        if reasons:
            return "; ".join(sorted(reasons))
        if self.turns >= self.max_questions:
            return f"no question left of {self.max_questions}"
        return "not asked yet"


def _offline_parser() -> AnswerParser:
    from ..answers import OfflineAnswerParser

    return OfflineAnswerParser()


def check_household(known: Known, keys: KeyTable) -> dict[Slot, Value]:
    """Return facts in their types; raise `QueryError` for one that no program could read."""
    found: dict[Slot, Value] = {}
    for slot, value in known.items():
        typed = keys.typed(slot, value)
        if slot.member is not None and not 0 <= slot.member < MAX_MEMBERS:
            raise QueryError(f"no member {shown(slot.member)}", hint=f"at most {MAX_MEMBERS}")
        found[slot] = typed
    size = found.get(SIZE)
    most = max((slot.member or 0 for slot in found), default=0) + 1
    if isinstance(size, int) and size < most:
        raise QueryError(f"facts about {most} people in a household of {size}")
    return found
