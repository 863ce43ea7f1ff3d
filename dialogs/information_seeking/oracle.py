"""A seeker that sees the tree: what a provider answers to whoever knows all the gaps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...catalogs.errors import QueryError, excerpt
from .seekers import opening
from .task import ROOT, ClarificationTask, ResponseNode, SeekerTask, SpokenTurn
from .telling import provider_answers, releasable, told_nodes
from .wording import GOODBYE, STILL, written

_GAP = re.compile(
    r"\b((?:how|which|where|what|when|who|whether|why)\b[^.,;]{4,160})|"
    r"(?:解答|解决|消除|回答|说明)(?:了)?(.{4,80}?)的(?:疑问|问题|担忧)"
)
_ASK = {"en": "Could you tell me {gap}?", "zh": "请问{gap}？"}
_TELL = {"en": 'Is it so that "{text}"?', "zh": "是不是“{text}”？"}


@dataclass(frozen=True)
class OracleSeeker:
    """Asks for each fact in the order of the tree, by its purpose, then by its own words.

    Raises `QueryError` for a task that it was not built with.
    """

    tasks: Iterable[ClarificationTask]
    _known: dict[tuple[str, str], ClarificationTask] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", {(t.id, t.lang): t for t in self.tasks})

    def say(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> str:
        """See `Seeker.say`."""
        whole = self._known.get((task.id, task.lang))
        if whole is None:
            raise QueryError(
                f"the oracle does not know task {excerpt(task.id)} in {excerpt(task.lang)}",
                hint="build it with the tasks that it is to ask about",
            )
        answers = provider_answers(turns)
        if not answers:
            return opening(task)
        asked = [turn.text for turn in turns if turn.speaker == "seeker"]
        for node in releasable(whole, {ROOT, *told_nodes(whole, answers)}):
            for question in _questions(node, written(task.lang)):
                if question not in asked:
                    return question
        return GOODBYE[written(task.lang)]


def _questions(node: ResponseNode, lang: str) -> list[str]:
    gaps = [gap for found in _GAP.findall(node.purpose) for gap in found if gap]
    tell = _TELL[lang].format(text=node.text)
    asks = [_ASK[lang].format(gap=gap.strip()) for gap in gaps[:1]]
    return [*asks, tell, f"{STILL[lang]} {tell}"]
