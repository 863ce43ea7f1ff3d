"""The seeker without a model: asks for the likeliest open point until nothing is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from . import chinese, english
from .likelihood import WEIGHTS
from .open_points import OpenPoint, read_dialogue
from .seekers import opening
from .task import SeekerTask, SpokenTurn
from .telling import provider_answers
from .wording import GOODBYE, STILL, written

THRESHOLD, SURE, AT_ONCE = 0.11, 0.5, 4


@dataclass(frozen=True, slots=True)
class OfflineSeeker:
    """Asks one question a turn, in doubt several. Task and turns alone decide what it says.

    `threshold`: how likely a point must be to be asked. `sure`: how likely one must be to be
    asked alone. `at_once`: questions of a turn at most. `weights`: see `likelihood`.
    """

    threshold: float = THRESHOLD
    sure: float = SURE
    at_once: int = AT_ONCE
    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)

    def say(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> str:
        """See `Seeker.say`."""
        lang, answers = written(task.lang), provider_answers(turns)
        if not answers:
            return opening(task)
        says_enough = chinese.says_enough if lang == "zh" else english.says_enough
        points = read_dialogue(task, turns, self.weights).open()
        if not points or points[0].likely < self.threshold or says_enough(answers[-1]):
            return GOODBYE[lang]
        return self._asked(points, " " if lang == "en" else "")

    def _asked(self, points: Sequence[OpenPoint], space: str) -> str:
        """Return the likeliest point's question; of doubtful ones the next with it."""
        asked = [points[0]]
        if points[0].likely < self.sure:
            asked += [p for p in points[1:] if p.likely >= self.threshold][: self.at_once - 1]
        questions = [point.question for point in asked]
        if any(point.asked for point in asked):
            questions.insert(0, STILL["en" if space else "zh"])
        return space.join(questions)
