"""Faithfulness and verbosity of whoever plays the person, found without a model in transcripts.

Each answer is read by the offline parser, which is told who lives in the household, and what it
says is compared with the profile (ProADA, section 6.4, where people did that by hand). An answer
nothing can be read from is counted apart: neither faithful nor not. What is told beyond the
question is compared only where the parser reads it along. The document's third figure,
answers that sound unnatural, takes a reader and is not here. Cost: one parse an answer and one a
sentence of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from ...dialogs.eligibility.answers.offline import OfflineAnswerParser
from ...dialogs.eligibility.answers.topics import stems
from ...dialogs.eligibility.keys import SIZE, KeyTable, Slot
from ...dialogs.eligibility.roles import Question
from ..understanding.wilson import share
from .asked_facts import asked_slots
from .dialogue import Dialogue, Turn
from .failures import same
from .profile import Profile
from .published_data import BenyfitsData

_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_COMPOSITION = frozenset({"relation", "name", "age", SIZE.key})
"""What comes along when somebody tells who lives with them; never more than was asked."""


@dataclass(frozen=True)
class JudgedAnswer:
    """An answer against the profile.

    `told`: facts read from it; `wrong`: those of them that the profile contradicts; `withheld`:
    facts that it says it does not know though the profile tells them; `beyond`: keys that it is
    about and that the question is not.
    """

    household: str
    question: str
    answer: str
    told: tuple[Slot, ...] = ()
    wrong: tuple[Slot, ...] = ()
    withheld: tuple[Slot, ...] = ()
    beyond: tuple[str, ...] = ()

    @property
    def readable(self) -> bool:
        """Whether anything can be said of its faithfulness."""
        return bool(self.told or self.withheld)

    @property
    def faithful(self) -> bool:
        """Whether it says what the profile says, as far as it could be read."""
        return self.readable and not self.wrong and not self.withheld


@dataclass(frozen=True)
class AnswerJudge:
    """Knows the households, as the person does."""

    data: BenyfitsData
    keys: KeyTable

    def answers(self, dialogue: Dialogue) -> list[JudgedAnswer]:
        """Return the answers of a conversation, judged, in order."""
        profile = Profile(self.data.households[dialogue.household], self.data.features)
        return [self._judged(profile, turn) for turn in dialogue.turns]

    def _judged(self, profile: Profile, turn: Turn) -> JudgedAnswer:
        slots = turn.slots or asked_slots(turn.question, profile, self.keys)
        asked = _question(turn, slots)
        parsed = self._read(asked, turn.answer, profile)
        told = {slot: value for slot, value in parsed.facts.items() if slot.key in self.keys}
        truth = {slot: profile.value(slot, self.keys.key(slot.key)) for slot in told}
        known = profile.known(self.keys)
        return JudgedAnswer(
            profile.household.household,
            turn.question,
            turn.answer,
            told=tuple(parsed.facts),
            wrong=tuple(slot for slot in told if not same(told[slot], truth[slot]))
            + _size_wrong(parsed.facts, profile),
            withheld=tuple(slot for slot in parsed.unknown if slot in known),
            beyond=self._beyond(asked, turn.answer, tuple(told), profile),
        )

    def _read(self, question: Question, answer: str, profile: Profile) -> Any:
        names = dict(enumerate(profile.household.names))
        composition = {
            slot: value
            for slot, value in profile.known(self.keys).items()
            if slot == SIZE or slot.key == "relation"
        }
        return OfflineAnswerParser().parse(question, answer, self.keys, composition, names)

    def _beyond(
        self, asked: Question, answer: str, told: Sequence[Slot], profile: Profile
    ) -> tuple[str, ...]:
        """Return keys told that were not asked for, by the parser or by a sentence's words."""
        own = {slot.key for slot in asked.slots}
        allowed = own | (_COMPOSITION if SIZE in asked.slots else {"relation", "name"})
        beyond = [slot.key for slot in told]
        for sentence in _END.split(answer)[1:]:
            parsed = self._read(asked, sentence, profile)
            if not any(slot.key in allowed for slot in parsed.facts):
                beyond += self._about(sentence, profile, own)
        return tuple(key for key in dict.fromkeys(beyond) if own and key not in allowed)

    def _about(self, sentence: str, profile: Profile, own: Set[str]) -> list[str]:
        """Return the key a sentence is about, unless it is words of what was asked for."""
        content = set(stems(sentence))
        lines = [profile.sentence(0, name) for name in own if name in profile.features]
        if any(2 * len(content.intersection(stems(line))) >= len(content) for line in lines):
            return []
        return [slot.key for slot in asked_slots(sentence, profile, self.keys)[:1]]


def _question(turn: Turn, slots: tuple[Slot, ...]) -> Question:
    keys = tuple(dict.fromkeys(slot.key for slot in slots))
    return Question(turn.question, slots, keys, attempt=turn.attempt)


def _size_wrong(facts: Mapping[Slot, Any], profile: Profile) -> tuple[Slot, ...]:
    said = facts.get(SIZE)
    return () if said in (None, len(profile.household.members)) else (SIZE,)


def answer_figures(judged: Sequence[JudgedAnswer]) -> dict[str, Any]:
    """Return how many answers are faithful and verbose, in percent with Wilson intervals.

    Faithful: of those that could be read. Verbose: of all.
    """
    readable = [answer for answer in judged if answer.readable]
    faithful = share(sum(answer.faithful for answer in readable), len(readable))
    verbose = share(sum(bool(answer.beyond) for answer in judged), len(judged))
    return {
        "n_answers": len(judged),
        "n_readable": len(readable),
        "n_wrong": sum(bool(answer.wrong) for answer in judged),
        "n_withheld": sum(bool(answer.withheld) for answer in judged),
        "n_verbose": verbose.right,
        "faithful": _percent(faithful.share),
        "verbose": _percent(verbose.share),
        "words": _mean([len(answer.answer.split()) for answer in judged]),
        "intervals": {
            name: None if each.interval is None else [100 * end for end in each.interval]
            for name, each in (("faithful", faithful), ("verbose", verbose))
        },
    }


def _percent(of_one: float | None) -> float | None:
    return None if of_one is None else 100 * of_one


def _mean(numbers: Sequence[int]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None


def unfaithful_records(judged: Sequence[JudgedAnswer]) -> list[dict[str, Any]]:
    """Return the answers that are not faithful, as JSON objects."""
    return [
        {
            "household": answer.household,
            "question": answer.question,
            "answer": answer.answer,
            "wrong": [str(slot) for slot in answer.wrong],
            "withheld": [str(slot) for slot in answer.withheld],
        }
        for answer in judged
        if answer.readable and not answer.faithful
    ]
