"""A turn as it was read: what it states, what it does, and whether what it names is wished."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...catalogs.json_values import Row
from ...catalogs.query.constraint import NULL_TESTS, Constraint
from ..extraction.extracted import Extracted, Extraction
from ..language.grades import grades
from .acts import NOT_UNDERSTOOD, Act, ActReading
from .asked import Asked, together
from .clarifying import Settled
from .parts import LIKELY, SURE, Sentence, doing, joined
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


ASKING = ("ask", "ask_more", "ask_better")

TAKING_BACK = ("retract", "dont_care", "undo")
"""Acts of a sentence that wishes for nothing, whatever the others do."""

ANSWERED = 3
"""Questions of one turn that are answered."""

_TOO_WHAT = re.compile(
    r"(?<!not )(?<!never )(?<!n't )(?<!before it's )\btoo\s+(\w+)", re.IGNORECASE
)
_TOO = re.compile(r"(?<!not )\btoo\s", re.IGNORECASE)

_SHOWN = re.compile(
    r"\b(?:show|see|list)\s+(?:me\s+|us\s+)?(?:all\s+)?(?:the|those|these)\s+(\w+)"
    r"(?=\W*$|[.,!?;]|\s+(?:please|then|of\s+them)\b)|"
    r"\bof\s+(?:the|those|these)\s+(\w+)(?=\W*$|\s+(?:is|are|has|have|does|do|would|can|will)\b)",
    re.IGNORECASE,
)
"""How many items somebody wants to see, by a number, which is no wish: `just show me the three`."""

_NOT_ABOUT = re.compile(r"\bnot\s+(?:(?:about|for|the|its)\s+){0,2}$", re.IGNORECASE)
"""Words before what is not asked: `I asked about the depth, not the width`."""

LONGEST_EVIDENCE = 500
"""Characters in which somebody says one wish."""


@dataclass
class Turn:
    """One turn as it was read; `taken` is what of it became wishes.

    `sentences`: its parts, each read alone; `named`: the columns it names, with the characters;
    `offers`: an item is there to be asked about. `confirms`: it says yes to the wish that the
    question named; `settles`: it answers what was unclear; `unreadable`: it held what nobody
    types, and nothing of it is read. `beside`: the item that was offered.
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
    beside: Row | None = None
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
            not_understood=tuple(
                p for p in self.found.not_understood if self.sentence_of(p) not in self._requests
            ),
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

    @property
    def _requests(self) -> list[Sentence]:
        """The sentences that ask for something to be done with an item, and wish for nothing."""
        return [part for part in self.sentences if self.offers and part.requests]

    def sentence_of(self, part: Any) -> Sentence:
        """Return the sentence that a reading stands in."""
        place = part.evidence.start
        return next((s for s in self.sentences if s.holds(place)), self.sentences[0])

    def read_as(self, extraction: Extraction, acts: tuple[Act, ...]) -> None:
        """Take over what somebody else read in the turn, all of which is meant."""
        self.found = self.taken = extraction
        self.states = bool(extraction.constraints or extraction.objectives or extraction.leanings)
        self.acts = acts or (Act(NOT_UNDERSTOOD),)
        self.settles = None

    def leave(self, is_none: Callable[[Constraint], bool]) -> None:
        """Take in no wish of those for which this holds."""
        kept = tuple(part for part in self.taken.constraints if not is_none(part.constraint))
        self.taken = replace(self.taken, constraints=kept)

    def stated_in(self, sentence: Sentence) -> list[Extracted]:
        """Return the wishes taken in that stand in a sentence."""
        return [part for part in self.taken.constraints if self.sentence_of(part) is sentence]

    def _of(self, sentence: Sentence, parts: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(part for part in parts if self.sentence_of(part) is sentence)

    def _without_bare_answers(self) -> Extraction:
        """Return what was found but for what a mere yes, no or endless talk was taken for.

        "No" to a question is no wish for items whose value nobody knows.
        """
        shown = [match.span(match.lastindex or 0) for match in _SHOWN.finditer(self.text)]
        kept = tuple(
            part
            for part in self.found.constraints
            if (part.constraint.op not in NULL_TESTS or part.constraint.column in self.columns)
            and part.evidence.end - part.evidence.start <= LONGEST_EVIDENCE
            and not (_is_count(part) and (part.evidence.start, part.evidence.end) in shown)
        )
        leanings = tuple(part for part in self.found.leanings if not self._is_too(part))
        return replace(self.found, constraints=kept, leanings=leanings)

    def _states(self, sentence: Sentence) -> bool:
        """Return whether what was found in a sentence is meant as a wish."""
        found = self.found
        aims = self._of(sentence, (*found.constraints, *found.objectives, *found.leanings))
        unresolved = self._of(sentence, found.unresolved)
        if not (aims or unresolved) or sentence in self._requests:
            return False
        if sentence.compares or sentence.asks_whether or (self.offers and sentence.asks_of_item):
            return False
        takes_back = any(sentence.reading.get(act) for act in TAKING_BACK)
        slot = self.question.slot if self.question else None
        answers = any(isinstance(p, Extracted) and p.constraint.column == slot for p in aims)
        if self._asks_there(sentence):
            return False
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
        if self.offers and not self.states and self._calls_too_much():
            # `Too late, I need it this week` takes nothing, whatever it sounds like.
            acts = [act for act in acts if act not in ("affirm", "ask_better")]
            acts.append(Act("ask_better", confidence=LIKELY))
        if self.states:
            acts = [act for act in acts if act.confidence >= LIKELY or act not in QUIET]
        wishes = bool(self.taken.constraints or self.taken.objectives or self.taken.leanings)
        wishes = wishes or self.settles is not None
        if wishes and not any(act in ("inform", "correct") for act in acts):
            acts.append(Act("inform", confidence=0.5))
        return tuple(acts) or (Act(NOT_UNDERSTOOD),)

    def _calls_too_much(self) -> bool:
        """Return whether there is too much of something, or too little: `too late`."""
        yes = [part for part in self.sentences if part.reading.get("affirm")]
        told = " ".join(part.text for part in yes or self.sentences)
        return any((word.lower(),) in grades() for word in _TOO_WHAT.findall(told))

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
    def questions(self) -> list[tuple[Act, Asked]]:
        """What is asked, by which sentence; what the turn asks as a whole where none asks alone.

        Beside an item, a question that names a column and does nothing else asks what it has.
        """
        sentences = [part for part in self.sentences if not part.requests]
        whole = [act for act in self.acts if act in ASKING][: 1 if sentences else 0]
        if len(sentences) == 1 and whole and not self._asks_there(sentences[0]):
            return [(act, self.asking(sentences)) for act in whole]
        asked: dict[tuple[str, str], tuple[Act, list[Sentence]]] = {}
        for sentence in sentences:
            act = next((act for act in sentence.reading.acts if act in ASKING), None)
            if sentence.compares or self._asks_there(sentence):
                act = Act("ask", "value", LIKELY)
            sure = act is not None and (act.confidence >= LIKELY or sentence.asks)
            if (act is None or not sure) and (topic := self._topic(sentence)):
                act, sure = Act("ask", topic, LIKELY), True
            if act is None and whole and sentence.asks and not self._states(sentence):
                act, sure = whole[0], True
            states = self._states(sentence)
            if act is None or not sure or (states and (act.topic == "values" or not sentence.asks)):
                continue
            asked.setdefault((act, act.topic), (act, []))[1].append(sentence)
        if not asked:
            return [(act, self.asking(sentences)) for act in whole]
        named = {
            key: parts
            for key, (_, parts) in asked.items()
            if self._names(parts) or any(part.compares for part in parts)
        }
        if named:
            # What names nothing in the catalog has no answer beside what does.
            asked = {key: asked[key] for key in asked if key in named or key[1] != "value"}
        alone = len(asked) == 1
        by_sentence = [(act, self._about(act, parts, alone)) for act, parts in asked.values()]
        return by_sentence[:ANSWERED]

    def _asks_there(self, sentence: Sentence) -> bool:
        """Return whether it asks if a list of the item holds something: `any vegan dishes?`."""
        found, offers = self.found, self.offers and sentence.asks_there
        offers = offers and not any(part.needs_one for part in self.sentences)
        aims = self._of(sentence, (*found.constraints, *found.objectives)) if offers else ()
        parts = (isinstance(p, Extracted) and p.constraint.op == "contains" for p in aims)
        return bool(aims) and all(parts)

    def _topic(self, sentence: Sentence) -> str:
        """Return what a question asks by its form and what it names alone; empty for nothing."""
        if sentence.compares:
            return "value"
        if sentence.lists and not (self.offers and sentence.asks_which):
            return "items"
        again = sentence.asks_again and not sentence.reading.get("dont_care")
        asks = sentence.asks or (self.offers and again)
        if not asks or not self._names([sentence]) or self._states(sentence):
            return ""
        if self.offers or sentence.asks_how:
            return "value"
        return "values" if sentence.asks_which else ""

    def _names(self, sentences: Sequence[Sentence]) -> bool:
        """Return whether sentences name a column or a value."""
        asked = self.asking(sentences)
        return bool(asked.columns or asked.extraction.constraints)

    def _about(self, act: Act, sentences: Sequence[Sentence], alone: bool) -> Asked:
        """What sentences ask about: what the turn names, where they alone ask and name nothing."""
        asked, whole = self.asking(sentences), self.asking(self.sentences)
        if self._names(sentences) or not alone or act.topic not in ("meaning", "value"):
            return asked
        return replace(whole, text=asked.text, parts=())

    def asking(self, sentences: Sequence[Sentence]) -> Asked:
        """What some sentences ask about: also what is only named and not wished."""
        return together([self._asking(sentence) for sentence in sentences])

    def _asking(self, sentence: Sentence) -> Asked:
        found = self.found
        named = self._of(sentence, (*found.constraints, *found.named))
        spans = [span for places in self.named.values() for span in places]
        columns = tuple(
            name
            for name, places in self.named.items()
            if any(sentence.holds(place[0]) for place in places)
            and not all(_is_inside(place, spans) for place in places)
        )
        if sentence.asks_again:
            firsts = ((name, self.named[name][0][0]) for name in columns)
            columns = tuple(
                name for name, at in firsts if not _NOT_ABOUT.search(self.text, max(0, at - 16), at)
            )
        objectives = self._of(sentence, found.objectives)
        extraction = replace(found, constraints=named, objectives=objectives)
        return Asked(sentence.text, extraction, columns, self.text)

    def asks_first(self, asked: Asked) -> bool:
        """Return whether something is asked before any wish is stated."""
        ends = [part.end for part in self.sentences if part.text in asked.text]
        end = max(ends, default=len(self.text))
        return all(part.evidence.start >= end for part in self.taken.constraints)

    def doing(self, *acts: str) -> Asked:
        """What the sentences that do one of some acts are about; all of it where none does."""
        return self.asking(doing(self.sentences, *acts) or self.sentences)

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


def _is_inside(span: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a longer one of some spans holds a span: the `venue` of `kind of venue`."""
    start, end = span
    return any(a <= start and end <= b and (a, b) != span for a, b in spans)
