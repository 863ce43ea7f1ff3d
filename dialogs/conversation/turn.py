"""A turn as it was read: what it states, what it does, and whether what it names is wished."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...catalogs.query.constraint import NULL_TESTS
from ..extraction.extracted import Extracted, Extraction
from .acts import NOT_UNDERSTOOD, Act, ActReading
from .asked import Asked
from .clarifying import Settled
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


SURE = 0.75
"""The score from which a wish is one, beside thanks too; not in a turn that accepts or asks.

Chosen on personas that were written to be learned from."""


LONGEST_EVIDENCE = 500
"""Characters in which somebody says one wish."""


LIKELY = 0.5
"""An item is taken where a yes is more likely than not."""


@dataclass
class Turn:
    """One turn as it was read; `taken` is what of it became wishes.

    `confirms`: it says yes to the wish that the question named; `settles`: it answers what was
    unclear; `unreadable`: it held what nobody types, and nothing of it is read.
    """

    text: str
    found: Extraction
    reading: ActReading
    columns: tuple[str, ...]
    first: bool
    question: Question | None
    confirms: bool = False
    settles: Settled | None = None
    unreadable: bool = False
    taken: Extraction = field(init=False)
    keeps_question: bool = False

    def __post_init__(self) -> None:
        self.found = self._without_bare_answers()
        self.states = self.confirms or self.settles is not None or self._states()
        constraints = self.found.constraints if self.states else ()
        self.taken = replace(
            self.found,
            constraints=constraints,
            objectives=self.found.objectives if self.states else (),
            leanings=self.found.leanings if self.states else (),
            unresolved=self.found.unresolved if self.states else (),
        )
        self.acts = self._acts()

    def _without_bare_answers(self) -> Extraction:
        """Return what was found but for what a mere yes, no or endless talk was taken for.

        "No" to a question is no wish for items whose value nobody knows.
        """
        kept = tuple(
            part
            for part in self.found.constraints
            if (part.constraint.op not in NULL_TESTS or part.constraint.column in self.columns)
            and part.evidence.end - part.evidence.start <= LONGEST_EVIDENCE
        )
        return replace(self.found, constraints=kept)

    def _states(self) -> bool:
        """Return whether what was found is meant as a wish."""
        found = self.found
        if not (found.constraints or found.objectives or found.leanings or found.unresolved):
            return False
        reading = self.reading
        aims = (*found.constraints, *found.objectives, *found.leanings)
        surest = max((part.score for part in aims), default=0.0)
        if surest >= SURE and not any(map(self._may_only_mention, reading.acts)):
            return True
        if reading.get("inform") or reading.get("correct"):
            return reading.states
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
        return not (self.first and (act == "end" or act.topic == "items"))

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

    @property
    def asked(self) -> Asked:
        """What a question may be about: also what is only named and not wished."""
        named = replace(self.found, constraints=(*self.found.constraints, *self.found.named))
        return Asked(self.text, named, self.columns)

    def get(self, name: str, topic: str | None = None) -> Act | None:
        """Return the act of that name (and topic), None where it was not read."""
        return next((a for a in self.acts if a == name and topic in (None, a.topic)), None)
