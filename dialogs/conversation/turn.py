"""A turn as it was read: what it states, what it does, and whether what it names is wished."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...catalogs.query.constraint import NULL_TESTS
from ..extraction.extracted import Extracted, Extraction, Leaning, Unresolved
from .acts import NOT_UNDERSTOOD, Act, ActReading
from .clarifying import Settled
from .lists_asked import counted_items
from .parts import LIKELY, SURE, Sentence, joined, overlaps, place_of
from .roles import Question

QUIET = (
    "ask",
    "dont_care",
    "dont_know",
    "retract",
    "undo",
    "end",
    "weigh",
    "ask_more",
    "ask_better",
)
"""Acts that mention values without wishing them, where the turn does not inform as well."""


TAKING_BACK = ("retract", "dont_care", "undo")
"""Acts of a sentence that wishes for nothing, whatever the others do."""

ANSWERED = 3
"""Questions of one turn that are answered."""

_TOO = re.compile(r"(?<!not )\btoo\s", re.IGNORECASE)

LONGEST_EVIDENCE = 500
"""Characters in which somebody says one wish."""


@dataclass
class Turn:
    """One turn as it was read; `taken` is what of it became wishes.

    `sentences`: its parts, each read alone; `named`: the columns it names, with the characters;
    `offers`: an item is there to be asked about. `confirms`: it says yes to the wish that the
    question named; `settles`: it answers what was unclear; `unreadable`: it held what nobody
    types, and nothing of it is read; `by_model`: a chat model read it.
    """

    text: str
    found: Extraction
    reading: ActReading
    sentences: Sequence[Sentence]
    named: Mapping[str, Sequence[tuple[int, int]]]
    first: bool
    question: Question | None
    offers: bool = False
    confirms: bool = False
    settles: Settled | None = None
    unreadable: bool = False
    taken: Extraction = field(init=False)
    keeps_question: bool = False
    by_model: bool = False
    _wholly: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.columns = tuple(self.named)
        whole, self.reading = self.reading, joined(self.reading, self.sentences)
        self.found = self._without_bare_answers()
        # What states something as a whole does so in all that asks nothing.
        self._wholly = len(self.sentences) > 1 and self._says(
            (*self.found.constraints, *self.found.objectives, *self.found.leanings),
            self.found.unresolved,
            whole,
        )
        stating = [part for part in self.sentences if self._states(part)]
        self.states = self.confirms or self.settles is not None or bool(stating)
        self.taken = replace(
            self.found,
            constraints=self._stated(self.found.constraints, stating),
            objectives=self._stated(self.found.objectives, stating),
            leanings=self._stated(self.found.leanings, stating),
            unresolved=self._stated(self.found.unresolved, stating),
            waived=tuple(filter(self._waives, self.found.waived)),
        )
        self.acts = self._acts()

    def _stated(self, parts: Sequence[Any], stating: Sequence[Sentence]) -> tuple[Any, ...]:
        """Return those of some readings that stand in a sentence which states wishes."""
        if self.confirms or len(stating) == len(self.sentences):
            return tuple(parts)
        return tuple(part for part in parts if self.sentence_of(part) in stating)

    def _waives(self, column: str) -> bool:
        """Return whether a column is waived where it is named, and not only asked about there."""
        named = [
            part
            for part in self.sentences
            if any(part.holds(start) for start, _ in self.named.get(column, ()))
        ]
        return not named or not all(
            part.asks and not part.reading.get("dont_care") for part in named
        )

    def sentence_of(self, part: Any) -> Sentence:
        """Return the sentence that a reading stands in."""
        place = part.evidence.start
        return next((s for s in self.sentences if s.holds(place)), self.sentences[0])

    def read_as(self, extraction: Extraction, acts: tuple[Act, ...]) -> None:
        """Take over what somebody else read in the turn, all of which is meant."""
        self.found = self.taken = extraction
        aims = (*extraction.constraints, *extraction.objectives, *extraction.leanings)
        self.states = bool(aims) or self.settles is not None
        self.acts = acts or (Act(NOT_UNDERSTOOD),)

    def take_up(
        self,
        more: Sequence[Extracted],
        leanings: Sequence[Leaning] = (),
        *,
        wished: bool = True,
    ) -> None:
        """Take up what is named in words of which nothing was found before.

        `wished`: it is wished for, and not only asked about.
        """
        more = [part for part in more if not self._counts_items(part)]
        leanings = [part for part in leanings if not self._is_too(part)]
        places = [place_of(part) for part in (*more, *leanings)]
        # One of several values is evidence of all.
        said = {text for part in more for text in part.said.split(" / ")}

        def without(left: Sequence[Unresolved]) -> tuple[Unresolved, ...]:
            return tuple(
                part
                for part in left
                if not overlaps(place_of(part), places) and part.evidence.text not in said
            )

        found, taken = (
            replace(
                held,
                constraints=(*held.constraints, *more),
                leanings=(*held.leanings, *leanings),
                unresolved=without(held.unresolved),
                not_understood=without(held.not_understood),
            )
            for held in (self.found, self.taken)
        )
        self.found, self.taken = found, taken if wished else self.taken

    def _of(self, sentence: Sentence, parts: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(part for part in parts if self.sentence_of(part) is sentence)

    def _without_bare_answers(self) -> Extraction:
        """Return what was found but for what a mere yes, no or endless talk was taken for.

        "No" to a question is no wish for items whose value nobody knows.
        """
        kept = tuple(
            part
            for part in self.found.constraints
            if (part.constraint.op not in NULL_TESTS or part.constraint.column in self.columns)
            and part.evidence.end - part.evidence.start <= LONGEST_EVIDENCE
            and not self._counts_items(part)
        )
        leanings = tuple(part for part in self.found.leanings if not self._is_too(part))
        named = tuple(part for part in self.found.named if not self._counts_items(part))
        return replace(self.found, constraints=kept, leanings=leanings, named=named)

    def _counts_items(self, part: Extracted) -> bool:
        """Return whether a number only says how many items are to be shown."""
        named = self.named.get(part.constraint.column or "", ())
        return _is_count(part) and any(
            start == part.evidence.start and not any(0 <= at - end <= 2 for at, _ in named)
            for start, end in counted_items(self.text)
        )

    def _states(self, sentence: Sentence) -> bool:
        """Return whether what was found in a sentence is meant as a wish."""
        found = self.found
        aims = self._of(sentence, (*found.constraints, *found.objectives, *found.leanings))
        unresolved = self._of(sentence, found.unresolved)
        if not (aims or unresolved) or sentence.compares or sentence.asks_whether:
            return False
        takes_back = any(sentence.reading.get(act) for act in TAKING_BACK)
        slot = self.question.slot if self.question else None
        answers = any(isinstance(p, Extracted) and p.constraint.column == slot for p in aims)
        if self._wholly and not takes_back and (self.first or answers or not sentence.asks):
            return True
        if answers and not sentence.reading.get("ask") and _surest(aims) >= SURE:
            return True  # Whatever else it does, it says what was asked for.
        return self._says(aims, unresolved, sentence.reading)

    def _says(self, aims: Sequence[Any], unresolved: Sequence[Any], reading: ActReading) -> bool:
        """Return whether what was found is meant as a wish, by what is done with it."""
        if not (aims or unresolved):
            return False
        if _surest(aims) >= SURE and not any(map(self._may_only_mention, reading.acts)):
            return True
        if reading.get("inform") or reading.get("correct"):
            fine = (part.also and _is_count(part) for part in aims if isinstance(part, Extracted))
            return reading.states or any(fine)
        quiet = max((act.confidence for act in reading.acts if act in QUIET), default=0.0)
        return reading.states and reading.informs > quiet

    def _may_only_mention(self, act: Act) -> bool:
        """Return whether an act may name values that are not wished.

        One that is less likely than not gives way to a sure wish. The first words look for what
        they ask for, `what have you got in red?`, and nobody takes leave with them.
        """
        if (act, act.topic) == ("ask", "why"):
            return True
        if act not in (*QUIET, "affirm") or act.confidence < LIKELY:
            return False
        if self.first and act in ("retract", "undo"):
            return False  # There is nothing to take back: `looking for one without a lift`.
        return not (self.first and (act == "end" or act.topic in ("items", "values")))

    def _acts(self) -> tuple[Act, ...]:
        """Return the acts, `inform` among them where something is stated, and only there."""
        acts = [act for act in self.reading.acts if act != NOT_UNDERSTOOD]
        if self.states:
            acts = [act for act in acts if act.confidence >= LIKELY or act not in QUIET]
        wishes = bool(self.taken.constraints or self.taken.objectives or self.taken.leanings)
        wishes = wishes or self.settles is not None
        if wishes and not any(act in ("inform", "correct") for act in acts):
            acts.append(Act("inform", confidence=0.5))
        return tuple(acts) or (Act(NOT_UNDERSTOOD),)

    @property
    def is_unclear(self) -> bool:
        """Whether a turn does nothing but ask what there is, at most and while nothing is asked."""
        asks = self.question is None
        return not self.states and all(
            act in ("inform", "correct", NOT_UNDERSTOOD)
            or (asks and act == "ask" and act.topic in ("values", "items"))
            for act in self.acts
        )

    @property
    def is_about_else(self) -> bool:
        """Whether a turn states wishes and says nothing of what was asked."""
        slot = self.question.slot if self.question else None
        aims = (*self.taken.constraints, *self.taken.unresolved)
        about = {
            aim.constraint.column if isinstance(aim, Extracted) else aim.column for aim in aims
        }
        goals = {aim.column for aim in (*self.taken.objectives, *self.taken.leanings)}
        leaves = self.get("dont_care") or self.get("dont_know") or slot in self.taken.waived
        return bool(about | goals) and slot not in about | goals and not leaves

    @property
    def leaves_question_open(self) -> bool:
        """Whether a question was asked before, and nothing is wished of what it is about."""
        slot = self.question.slot if self.question else None
        return slot is not None and all(p.constraint.column != slot for p in self.taken.constraints)

    def _is_too(self, part: Any) -> bool:
        """Return whether it is told as too much: who calls it too early wants it later."""
        return (
            _TOO.search(self.text[: part.evidence.end], max(0, part.evidence.start - 4)) is not None
        )

    def get(self, name: str, topic: str | None = None) -> Act | None:
        """Return the act of that name (and topic), None where it was not read."""
        return next((a for a in self.acts if a == name and topic in (None, a.topic)), None)


def _is_count(part: Extracted) -> bool:
    """Return whether a wish is for a number, which yes and no are not."""
    return type(part.constraint.value) in (int, float)


def _surest(parts: Sequence[Any]) -> float:
    return max((part.score for part in parts), default=0.0)
