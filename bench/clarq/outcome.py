"""How one dialogue ended, computed from its turns and its task alone.

Success (V-B): every node's text but the root's stands in a turn of the provider after its
first answer; of a missing one a judge is asked, with the turns that tell no node, and one no
is enough. D is the provider's turns after the first answer, and one, less the task's texts.
L is the blanks (English) or characters (Chinese) of a mean turn of the seeker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from ...dialogs.information_seeking.dialogue import is_goodbye
from ...dialogs.information_seeking.task import ClarificationTask, SpokenTurn
from ...dialogs.information_seeking.telling import provider_answers, told_nodes
from .judges import Judge, NoJudge

Turns = Sequence[SpokenTurn]


@dataclass(frozen=True)
class Outcome:
    """One dialogue's figures.

    `released`: the nodes told after the first answer; `rescued`: whether a judge made it a
    success; `ended`: whether the seeker said goodbye.
    """

    task: ClarificationTask
    turns: tuple[SpokenTurn, ...]
    released: tuple[str, ...]
    success: bool
    discrepancy: int
    query_length: float
    rescued: bool
    ended: bool

    @property
    def nodes(self) -> int:
        """How many nodes there were to tell."""
        return len(self.task.responses) - 1


def outcome_of(task: ClarificationTask, turns: Turns, judge: Judge | None = None) -> Outcome:
    """Return how a dialogue ended; `judge`: asked about what was not told in its own words."""
    answers = provider_answers(turns)
    released = [node for node in told_nodes(task, answers[1:]) if node != task.responses[0].node]
    asked = [turn.text for turn in turns if turn.speaker == "seeker"]
    missing = [node for node in task.responses[1:] if node.node not in released]
    own = [text for text in answers[1:] if not told_nodes(task, [text])]
    chosen = judge or NoJudge()
    success = not missing or (
        bool(own) and all(chosen.told(task.lang, node.text, node.purpose, own) for node in missing)
    )
    return Outcome(
        task,
        tuple(turns),
        tuple(released),
        success,
        len(answers) - len(task.responses),
        fmean(length(text, task.lang) for text in asked) if asked else 0.0,
        bool(missing) and success,
        bool(asked) and is_goodbye(asked[-1]),
    )


def length(text: str, lang: str) -> int:
    """Return the length of a turn as the origin counts it: characters, or blanks in English."""
    return len(text) if lang == "zh" else text.count(" ")


def depth(task: ClarificationTask) -> int:
    """Return how many nodes lie on the longest way down a task's tree, the root left out."""
    depths: dict[str | None, int] = {None: -1}
    for node in task.responses:
        depths[node.node] = depths[node.parent] + 1
    return max(depths.values())
