"""What is open in a free-text task: which of several, how past a restriction, where from, how.

The answers are read one after the other. Each sentence opens points: a word that several
options of the background share, an option with a restriction in brackets, a thing that the
background does not hold, an action. A later sentence closes those that it settles. What the
background alone leaves open is added; a logistic model says how likely each has an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .background import Background
from .likelihood import WEIGHTS
from .matching import overlap, speaks_of
from .openings import Openings
from .options import Option, OptionGroup
from .points import HeldPoint, Ledger, OpenPoint
from .said import read_answers, sentences, told_part
from .task import SeekerTask, SpokenTurn

__all__ = ["OpenPoint", "open_points", "read_dialogue"]


def open_points(task: SeekerTask, turns: Sequence[SpokenTurn] = ()) -> tuple[OpenPoint, ...]:
    """Return what is open after `turns`, the likeliest to have an answer first.

    The provider's first turn, a greeting, is passed over. Without an answer the goal is read
    as one. Cost: sentences of the answers × options of the background.
    """
    return read_dialogue(task, turns).open()


def read_dialogue(
    task: SeekerTask, turns: Sequence[SpokenTurn], weights: Mapping[str, float] = WEIGHTS
) -> Ledger:
    """Return the ledger of a dialogue, closed points included; `weights`: see `likelihood`."""
    reading = _Reading(Background(task), Ledger(weights=weights))
    answers = [turn.text for turn in turns if turn.speaker == "provider"][1:]
    asked = [turn.text for turn in turns if turn.speaker == "seeker"]
    for at, answer in enumerate(answers or [task.goal]):
        reading.hear(answer, asked[at] if at < len(asked) else "", at)
    return reading.ledger


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads answers into a ledger."""

    known: Background
    ledger: Ledger

    def hear(self, answer: str, question: str, turn: int) -> None:
        """Close what an answer settles, then open what it leaves open."""
        lang, ledger = self.known.lang, self.ledger
        asked = ledger.asked_in(question)
        answer = told_part(lang, answer) if turn else answer
        new = bool(answer) and answer not in ledger.heard
        settled = self._close(answer, asked) if new else False
        ledger.count(asked, settled)
        if not new:
            ledger.silent += bool(turn)
            return
        ledger.heard.append(answer)
        opening, said = Openings(self.known, ledger), read_answers(lang, [answer])
        for sentence in sentences(lang, answer):
            opening.from_sentence(sentence, [s for s in said if s.sentence == sentence], turn)
        opening.from_background()

    def _close(self, answer: str, asked: Sequence[HeldPoint]) -> bool:
        """Close what an answer speaks to, if nothing then what was asked; say whether it did."""
        settled: list[HeldPoint] = []
        for sentence in sentences(self.known.lang, answer):
            named = self.known.named(sentence)
            open_now = [held for held in self.ledger.points.values() if not held.closed]
            settled += [h for h in open_now if self._settles(sentence, named, h, h in asked)]
        if not settled and asked:
            settled = [max(asked, key=lambda held: overlap(answer, held.point.question))]
        for held in settled:
            held.closed = True
        return bool(settled)

    def _settles(
        self, sentence: str, named: Sequence[Option], held: HeldPoint, asked: bool
    ) -> bool:
        if held.group is not None:
            if not any(option in held.group.options for option in named):
                return False
            if held.thing:
                return asked or speaks_of(sentence, held.thing)
            return asked or not self._for_a_thing(sentence, held.group)
        if held.thing:
            place = any(option.place == "scenes" for option in named)
            return (asked or place) and speaks_of(sentence, held.thing)
        return asked and overlap(sentence, held.point.said) > 0

    def _for_a_thing(self, sentence: str, group: OptionGroup) -> bool:
        """Return whether a sentence answers for a thing that was to be had at the group."""
        held = self.ledger.of_group(group)
        return any(one.thing and speaks_of(sentence, one.thing) for one in held)
