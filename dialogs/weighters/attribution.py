"""Attribute the clauses of the person's messages to the constraints they speak about.

A clause belongs to the constraints that it names, else to those named last; "the rest" belongs
to those that nothing else is said about. Reads the latest `MAX_READ` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Literal

from ...catalogs.query.constraint import Constraint
from ..language.tokens import sentences
from ..transcripts.transcript import Message, Transcript
from .clauses import Clause, read_clauses
from .comparisons import MAX_COMPARED, Comparison, comparisons
from .cues import EXTREME, Cue, cues, stance, words_of

How = Literal["own", "continued", "inherited", "rest"]

MAX_READ = 30_000
"""Characters of a conversation that are read for evidence, the latest messages first."""

MAX_HEADING = 100
"""Characters of a column's name before a colon, at most."""

NOTHING_WISHED = (-1,)
"""Stands for a column that was asked about and that no constraint is on."""

MAX_EVIDENCE = 60
"""Clauses about one constraint; a hundred would not tell more."""

LIST_ITEM_WORDS = 6
"""A clause with at most so many words beside the name can be an item of a list."""

_REST = re.compile(
    r"\b(?:everything else|the rest|anything else|all else|other than that|the others"
    r"|other (?:points|things|details|wishes)|remaining)\b",
    re.IGNORECASE,
)
_IF = re.compile(
    r"\b(?:if|as long as|so long as|provided|when|once|assuming|because|since|than|above|before"
    r"|over|compared|like|of)\b[^,;]*\b(?:else|rest|others|things|points|details|wishes)\b",
    re.IGNORECASE,
)
"""Conditions such as "if everything else is right", which grade nothing of the rest."""

_SUMS_UP = re.compile(
    r"\W*(?:overall|basically|in (?:general|short|sum|all)|all in all|generally|so)\b",
    re.IGNORECASE,
)

_REFUSES = re.compile(
    r"\b(?:not|never|no|won['’]?t|wouldn['’]?t|don['’]?t|cannot|can['’]?t|out of|instead)\b"
    r".*\banything else\b|\banything else\b.*\b(?:out|useless|pointless)\b",
    re.IGNORECASE,
)
"""Refusals such as "not anything else", which grade what was named before."""

_ALL = re.compile(
    r"\b(?:both|all (?:of (?:them|these|those)|three|four|this|these|are)|these|all of it"
    r"|each of)\b",
    re.IGNORECASE,
)
_MANY = re.compile(r"\b(?:are|aren['’]t|were|both|all|each|equally)\b", re.IGNORECASE)
"""Plural words, by which a clause behind a list grades the whole list."""

_BACK = re.compile(
    r"\b(?:it|its|it['’]s|that|that['’]s|this|there|there['’]s|these|those|them|one)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A clause about a constraint, and how it came to be about it."""

    clause: Clause
    how: How


@dataclass
class Reading:
    """What a conversation says about each constraint, and which it puts above which.

    `asked`: those that somebody asked about, in an order that says nothing of the person.
    """

    evidence: list[list[Evidence]]
    compared: list[Comparison] = field(default_factory=list[Comparison])
    asked: set[int] = field(default_factory=set[int])

    def cues(self, number: int) -> list[tuple[Cue, Evidence]]:
        """Return the cues about a constraint with the evidence they stand in."""
        return [
            (cue, evidence)
            for evidence in self.evidence[number]
            if not self._is_comparison(number, evidence.clause)
            for cue in evidence.clause.cues
        ]

    @property
    def ranked(self) -> list[Comparison]:
        """What is put above what; what the person says goes first is below all the others."""
        last = [number for number in range(len(self.evidence)) if self._goes_first(number)]
        others = tuple(number for number in range(len(self.evidence)) if number not in last)
        return [*self.compared, *(Comparison(others, (number,)) for number in last if others)]

    def _goes_first(self, number: int) -> bool:
        strengths = [cue.strength for cue, _ in self.cues(number)]
        return min(strengths, default=0.0) <= -EXTREME and max(strengths) < EXTREME

    def _is_comparison(self, number: int, clause: Clause) -> bool:
        """Return whether the clause grades the constraint only beside another one."""
        return any(
            comparison.message == clause.message
            and comparison.start <= clause.start < comparison.end
            and (len(clause.constraints) > 1 or clause.start >= comparison.marker)
            and (number in comparison.above or number in comparison.below)
            for comparison in self.compared
        )


def read_transcript(transcript: Transcript, constraints: Sequence[Constraint]) -> Reading:
    """Attribute the clauses of the user's messages to the constraints.

    Only column names and values are used; no catalog is needed. Reads at most `MAX_READ`
    characters.
    """
    reading = Reading([[] for _ in constraints])
    rest: list[Clause] = []
    question = Message("assistant", "")
    for number, message in _readable(transcript):
        if message.role == "assistant":
            question = message
        elif message.role == "user":
            asked = _headed(message.content, constraints) or _of_slot(question.slot, constraints)
            reading.asked.update(asked)
            about = asked or _named(question.content, constraints)
            if question.slot and not asked:
                about, asked = (), NOTHING_WISHED
            _MessageAttribution(
                reading, constraints, about, rest, question.content, frozenset(asked)
            ).take(message.content, number)
            question = Message("assistant", "")
    _give_rest(reading, rest)
    return reading


def _readable(transcript: Transcript) -> list[tuple[int, Message]]:
    """Return the messages within `MAX_READ`, the one that does not fit cut short."""
    left = MAX_READ
    readable: list[tuple[int, Message]] = []
    for number, message in reversed(list(enumerate(transcript))):
        if message.role == "system" or left <= 0:
            continue
        content = message.content[:left]
        left -= len(content)
        readable.append((number, replace(message, content=content)))
    return readable[::-1]


def _of_slot(slot: str, constraints: Sequence[Constraint]) -> tuple[int, ...]:
    """Return the constraints on the column that a question is known to be about."""
    return tuple(at for at, part in enumerate(constraints) if slot and part.column == slot)


def _headed(text: str, constraints: Sequence[Constraint]) -> tuple[int, ...]:
    """Return the constraints on the column whose name opens a message: `Weight: below 2 kg`."""
    name, colon, _ = text[:MAX_HEADING].partition(":")
    return _of_slot(name.strip() if colon else "", constraints)


def _named(text: str, constraints: Sequence[Constraint]) -> tuple[int, ...]:
    """Return the constraints that the last sentence of a question names, else the whole."""
    clauses = read_clauses(text, 0, constraints)
    for last in reversed(clauses):
        if last.constraints:
            return last.constraints
    return ()


@dataclass
class _MessageAttribution:
    """Attributes one message; `focus` is what a bare "it" means at each moment.

    `asked` are the wishes on the column that the message is known to answer about. It speaks of
    them but where it clearly names another wish.
    """

    reading: Reading
    constraints: Sequence[Constraint]
    focus: tuple[int, ...]
    rest: list[Clause]
    question: str = ""
    asked: frozenset[int] = frozenset()

    def take(self, text: str, number: int) -> None:
        spans = sentences(text)
        before: tuple[int, ...] = self.focus
        message_clauses = read_clauses(text, number, self.constraints, self.asked)
        if message_clauses and self.question:
            message_clauses[0] = replace(
                message_clauses[0], replies=stance(self.question, message_clauses[0].text)
            )
        for place, group in groupby(message_clauses, key=lambda clause: clause.sentence):
            clauses = list(group)
            names = [naming for clause in clauses for naming in clause.names]
            sentence = spans[place]
            compares = list(comparisons(sentence.text, sentence.start, names, self.focus, number))
            self.reading.compared.extend(compares[: MAX_COMPARED - len(self.reading.compared)])
            self._sentence(clauses, before, compares)
            named = _constraints(clauses)
            before = named or before

    def _sentence(
        self, clauses: list[Clause], before: tuple[int, ...], compares: list[Comparison]
    ) -> None:
        for place, clause in enumerate(clauses):
            if clause.constraints:
                self.focus = clause.constraints
                self._add(clause.constraints, clause, "own")
            else:
                self._add_nameless(clause, clauses, place, before)
        for place, clause in enumerate(clauses):
            followed = place + 1 < len(clauses) and not clauses[place + 1].constraints
            if clause.constraints and not (clause.cues or followed or compares):
                self._inherit(clauses, place)

    def _add_nameless(
        self, clause: Clause, clauses: list[Clause], place: int, before: tuple[int, ...]
    ) -> None:
        if (
            _REST.search(clause.text)
            and not self.asked
            and not (_REFUSES.search(clause.text) or _IF.search(clause.text))
        ):
            self.rest.append(clause)
            return
        earlier = _constraints(clauses[:place])
        if _ALL.search(clause.text) and (earlier or before):
            self._add(earlier or before, clause, "continued")
            return
        later = next(
            (following.constraints for following in clauses[place + 1 :] if following.constraints),
            (),
        )
        if place == 0 and not later and _SUMS_UP.match(clause.text):
            return
        leads_in = place == 0 and later and not _BACK.search(clause.text)
        self._add(later if leads_in else self.focus, clause, "continued")

    def _inherit(self, clauses: list[Clause], place: int) -> None:
        """Give an item of a list the cue that stands before or behind the whole list."""
        clause = clauses[place]
        if len(clause.words) > LIST_ITEM_WORDS + 4 * len(clause.names):
            return
        later = (following for following in _run(clauses, place, 1) if _MANY.search(following.text))
        for source in (*_run(clauses, place, -1), *later):
            if any(abs(cue.strength) > 0.15 for cue in source.cues):
                if source.constraints and (source.start > clause.start or _leads(source)):
                    self._add(clause.constraints, source, "inherited")
                return

    def _add(self, numbers: Sequence[int], clause: Clause, how: How) -> None:
        for number in numbers:
            if len(self.reading.evidence[number]) < MAX_EVIDENCE:
                self.reading.evidence[number].append(Evidence(clause, how))


def _leads(clause: Clause) -> bool:
    """Return whether a cue stands before what the clause names, and so before a list."""
    before = words_of(clause.text[: clause.names[0].start - clause.start])
    return any(abs(cue.strength) > 0.15 for cue in cues(before))


def _constraints(clauses: Sequence[Clause]) -> tuple[int, ...]:
    return tuple(
        dict.fromkeys(constraint for clause in clauses for constraint in clause.constraints)
    )


def _run(clauses: list[Clause], place: int, step: int) -> Iterator[Clause]:
    """Yield the neighbours of a clause up to a "but"."""
    while True:
        if step < 0 and clauses[place].turns:
            return
        place += step
        if not 0 <= place < len(clauses) or (step > 0 and clauses[place].turns):
            return
        yield clauses[place]


def _give_rest(reading: Reading, rest: list[Clause]) -> None:
    """Give "everything else" to the constraints that nothing else is said about."""
    silent = [
        those
        for those in reading.evidence
        if not any(abs(cue.strength) > 0.15 for evidence in those for cue in evidence.clause.cues)
    ]
    for clause in rest:
        for those in silent:
            those.append(Evidence(clause, "rest"))
