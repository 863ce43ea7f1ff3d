"""Ask for the facts that programs miss, read the answers, decide (ProADA, many programs at once).

    agent = DecisionAgent(programs, keys)
    while question := agent.next_question():
        agent.observe(input(question.text))
    for decision in agent.decisions().values(): …

Nothing is random: the same answers give the same questions and decisions in the same order. A
turn costs an evaluation of every open program, and those of the planner.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....catalogs.errors import QueryError, excerpt
from ...transcripts.transcript import Message, Transcript
from ..keys import MAX_MEMBERS, SIZE, KeyTable, Known, Slot, Value
from ..roles import AnswerParser, Decision, Parsed, Question, QuestionWriter, most_questions
from .conversation_state import Ask, ConversationState, line_of
from .cross_check import CrossCheck
from .explaining import reasons_for
from .planning import Planner, get_planner
from .program import Program
from .verbalization import OfflineQuestionWriter, disputed_text

ATTEMPTS = 3
"""How often a key is asked for before it counts as one that nobody can tell."""

MAX_ANSWER = 20_000
"""Characters of one answer that are read."""


class DecisionAgent:
    """Asks, reads answers and decides; see the module. A `Decider`."""

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
        cross_check: CrossCheck | None = None,
    ) -> None:
        programs = tuple(programs)
        for program in programs:
            program.check_keys(keys)
        self.state = ConversationState(programs, keys)
        self.planner = get_planner(planner) if isinstance(planner, str) else planner
        self.parser: AnswerParser = parser or _offline_parser()
        self.writer: QuestionWriter = writer or OfflineQuestionWriter()
        self.names: dict[int, str] = dict(names or {})
        self.max_questions = most_questions(programs) if max_questions is None else max_questions
        self.cross_check = cross_check
        self.messages: list[Message] = []
        self.questions: list[Question] = []
        self._attempts: dict[Slot, int] = {}
        self._disputes: dict[Slot, tuple[Value, Value]] = {}
        for slot, value in (known or {}).items():
            self.state.add_fact(slot, keys.typed(slot, value))

    @property
    def programs(self) -> Sequence[Program]:
        """The programs, in order."""
        return self.state.programs

    @property
    def keys(self) -> KeyTable:
        """The keys the programs share."""
        return self.state.keys

    @property
    def known(self) -> Known:
        """What is known so far."""
        return self.state.known

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
        question = self._disputed_question() or self._planned_question()
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
        questions: list[Question] = []
        keys: set[str] = set()
        first = self.planner.next(self.state) if self.turns < self.max_questions else None
        if first is not None:
            questions.append(self._with_text(first))
            keys.update(first.keys)
        for program in self.programs:
            for slot in self.state.askable(program):
                if slot.key not in keys:
                    keys.add(slot.key)
                    line = line_of(self.state, program, slot)
                    slots = self.state.open_slots(slot.key)
                    questions.append(self._with_text(Ask(slots, (slot.key,), program.name, line)))
        return questions

    def question_record(self, question: Question) -> dict[str, Any]:
        """Return a question as JSON, with what its keys are and which programs need them."""
        keys = [self.keys.key(name) for name in question.keys]
        needed = [
            program.name
            for program in self.programs
            if {slot.key for slot in self.state.askable(program)} & set(question.keys)
        ]
        record = question.record() | {"programs": needed}
        return record | {"expects": [key.record() | {"answer": key.expected} for key in keys]}

    def _disputed_question(self) -> Question | None:
        """Return the question which of two statements holds, where it still matters."""
        for slot, (first, second) in self._disputes.items():
            if slot in self.state.closed:
                continue
            program = next((p for p in self.programs if slot in self.state.askable(p)), None)
            if program is not None:
                ask = Ask((slot,), (slot.key,), program.name, 0)
                text = disputed_text(slot, first, second, self.keys, self.names)
                return replace(self._question(ask), text=text, disputed=True)
        return None

    def _planned_question(self) -> Question | None:
        ask = self.planner.next(self.state)
        return None if ask is None else self._with_text(ask)

    def _with_text(self, ask: Ask) -> Question:
        question = self._question(ask)
        text = self.writer.write(question, self.keys, self.known, self.names)
        return replace(question, text=text)

    def _question(self, ask: Ask) -> Question:
        program = next(program for program in self.programs if program.name == ask.program)
        attempt = 1 + max(self._attempts.get(slot, 0) for slot in ask.slots)
        hints = program.hint(ask.line) or "; ".join(program.hints_of(ask.keys[0])[:1])
        return Question(
            "", ask.slots, ask.keys, program.name, ask.line, program.code(ask.line), hints, attempt
        )

    def observe(self, text: str) -> Parsed:
        """Take in the answer to the last question; return what was understood of it.

        Raises `QueryError` before the first question, and `ModelError` of the parser.
        """
        if not self.questions:
            raise QueryError("nothing was asked yet", hint="call next_question first")
        question = self.questions[-1]
        text = text[:MAX_ANSWER]
        self.messages.append(Message("user", text))
        parsed = self.parser.parse(question, text, self.keys, self.known, self.names)
        parsed = replace(parsed, facts=self._fitting(parsed.facts))
        self.add_facts(parsed.facts, settles=question.slots if question.disputed else ())
        self.names.update(
            {
                member: name[:80]
                for member, name in parsed.names.items()
                if 0 <= member < MAX_MEMBERS
            }
        )
        for slot in parsed.unknown:
            if slot not in self.state.known:
                self.state.closed[slot] = "the person does not know"
        self._count_attempts(question, parsed)
        return parsed

    def _fitting(self, facts: Mapping[Slot, Value]) -> dict[Slot, Value]:
        """Return the facts that fit their keys; a parser may be a model."""
        typed_facts: dict[Slot, Value] = {}
        for slot, value in facts.items():
            try:
                key = self.keys.key(slot.key)
                typed = key.typed(value)
            except QueryError:
                continue
            is_member = slot.member is not None and 0 <= slot.member < MAX_MEMBERS
            if is_member if key.level == "member" else slot.member is None:
                typed_facts[slot] = typed
        return typed_facts

    def add_facts(self, facts: Known, *, settles: Sequence[Slot] = ()) -> None:
        """Take in facts; what contradicts an earlier one is asked about, unless it `settles`."""
        for slot, value in facts.items():
            before = self.state.known.get(slot)
            if slot in settles or before is None or before == value:
                if slot in settles or slot not in self._disputes:
                    self._disputes.pop(slot, None)
                    self.state.add_fact(slot, value)
            else:
                self._disputes[slot] = (before, value)
                self.state.remove_fact(slot)

    def _count_attempts(self, question: Question, parsed: Parsed) -> None:
        for slot in question.slots:
            if slot in self.state.known or slot in self.state.closed:
                continue
            self._attempts[slot] = self._attempts.get(slot, 0) + 1
            if self._attempts[slot] >= ATTEMPTS:
                why = "contradicting answers" if slot in self._disputes else "no usable answer"
                self.state.closed[slot] = why

    def decisions(self) -> dict[str, Decision]:
        """Return the decision on every program, by name, in the programs' order."""
        return {program.name: self._decision(program) for program in self.programs}

    @property
    def undecided(self) -> dict[str, tuple[Slot, ...]]:
        """The programs that are not decided, with the facts that are missing."""
        decisions = self.decisions().values()
        undecided = [decision for decision in decisions if decision.eligible is None]
        return {decision.program: decision.missing for decision in undecided}

    def _decision(self, program: Program) -> Decision:
        evaluation = self.state.evaluation(program)
        if evaluation.outcome is not None:
            if why := self._disagreement(program, evaluation.outcome):
                return Decision(program.name, None, why=why)
            reasons = reasons_for(program, self.state.known, self.keys, evaluation.outcome)
            return Decision(program.name, evaluation.outcome, reasons=reasons)
        if evaluation.error:
            return Decision(program.name, None, why=f"the program fails: {evaluation.error}")
        return Decision(program.name, None, evaluation.relevant, self._why(evaluation.relevant))

    def _disagreement(self, program: Program, outcome: bool) -> str:
        if self.cross_check is None:
            return ""
        return self.cross_check.disagreement(program, self.state.known, self.keys, outcome)

    def _why(self, missing: Sequence[Slot]) -> str:
        reasons = {self.state.closed[slot] for slot in missing if slot in self.state.closed}
        if reasons:
            return "; ".join(sorted(reasons))
        if self.turns >= self.max_questions:
            return f"no question left of {self.max_questions}"
        return "not asked yet"


def _offline_parser() -> AnswerParser:
    from ..answers.offline import OfflineAnswerParser

    return OfflineAnswerParser()


def check_household(known: Known, keys: KeyTable) -> dict[Slot, Value]:
    """Return facts in their types; raise `QueryError` for one that no program could read."""
    facts: dict[Slot, Value] = {}
    for slot, value in known.items():
        typed = keys.typed(slot, value)
        if slot.member is not None and not 0 <= slot.member < MAX_MEMBERS:
            raise QueryError(f"no member {excerpt(slot.member)}", hint=f"at most {MAX_MEMBERS}")
        facts[slot] = typed
    size = facts.get(SIZE)
    most = max((slot.member or 0 for slot in facts), default=0) + 1
    if isinstance(size, int) and size < most:
        raise QueryError(f"facts about {most} people in a household of {size}")
    return facts
