"""The seeker without a model: asks for the likeliest open point until nothing is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import chinese, english
from .open_points import OpenPoint, open_points
from .seekers import heard, opening
from .task import SeekerTask, SpokenTurn
from .wording import GOODBYE, STILL, written

THRESHOLD, SURE, AT_ONCE = 0.11, 0.5, 4


@dataclass(frozen=True, slots=True)
class OfflineSeeker:
    """Asks one question a turn. Deterministic: task and turns decide what it says."""

    threshold: float = THRESHOLD
    sure: float = SURE

    def say(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> str:
        """See `Seeker.say`."""
        lang, answers = written(task.lang), heard(turns)
        if not answers:
            return opening(task)
        says_enough = chinese.says_enough if lang == "zh" else english.says_enough
        points = open_points(task, turns)
        if not points or points[0].likely < self.threshold or says_enough(answers[-1]):
            return GOODBYE[lang]
        return self._asked(points, " " if lang == "en" else "")

    def _asked(self, points: Sequence[OpenPoint], space: str) -> str:
        """Return the likeliest point's question; of doubtful ones the next with it."""
        asked = [points[0]]
        if points[0].likely < self.sure:
            asked += [p for p in points[1:] if p.likely >= self.threshold][: AT_ONCE - 1]
        questions = [point.question for point in asked]
        if any(point.asked for point in asked):
            questions.insert(0, STILL["en" if space else "zh"])
        return space.join(questions)
