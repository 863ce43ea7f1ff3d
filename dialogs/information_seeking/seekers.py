"""Seekers to compare with: one that asks nothing, and three that ask badly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .task import SeekerTask, SpokenTurn
from .telling import provider_answers
from .wording import ASK_HOW, GOODBYE, listed, written

_VAGUE = {
    "en": (
        "What do you mean?",
        "Could you explain that?",
        "Can you tell me more?",
        "I do not quite understand. Could you be clearer?",
        "Is there anything else?",
    ),
    "zh": (
        "你是什么意思？",
        "你能解释一下吗？",
        "你能再说详细一点吗？",
        "我不太明白，能说清楚一些吗？",
        "还有别的吗？",
    ),
}
_CONFIRM = {"en": 'So I understand: "{said}" Is that right?', "zh": "我的理解是：“{said}”对吗？"}
_DUMP = {
    "en": (
        "I have {items}; I can use {skills}; I can go to {scenes}. Which of these, and how?",
        "Which of my items ({items}), skills ({skills}) and places ({scenes}) do I need?",
    ),
    "zh": (
        "我有{items}；我会{skills}；我可以去{scenes}。该用哪些，怎么用？",
        "我的物品（{items}）、技能（{skills}）和场景（{scenes}）里需要哪些？",
    ),
}
_NONE = {"en": "nothing", "zh": "无"}
MOST_CONFIRMED, MOST_DUMPED = 3, 8


def opening(task: SeekerTask) -> str:
    """Return the seeker's first turn: how to reach the goal."""
    return ASK_HOW[written(task.lang)].format(goal=task.goal.rstrip(".。 "))


@dataclass(frozen=True, slots=True)
class SilentSeeker:
    """Asks how to reach the goal, and takes the first answer as all there is."""

    def say(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> str:
        """See `Seeker.say`."""
        return GOODBYE[written(task.lang)] if provider_answers(turns) else opening(task)


@dataclass(frozen=True, slots=True)
class VagueSeeker:
    """Asks what is meant without saying what is unclear, in a few ways, then gives up."""

    def say(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> str:
        """See `Seeker.say`."""
        lang, asked = written(task.lang), len(provider_answers(turns))
        if not asked:
            return opening(task)
        return _VAGUE[lang][asked - 1] if asked <= len(_VAGUE[lang]) else GOODBYE[lang]


@dataclass(frozen=True, slots=True)
class ConfirmingSeeker:
    """Sums up what it was told and asks whether that is right."""

    def say(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> str:
        """See `Seeker.say`."""
        lang, answers = written(task.lang), provider_answers(turns)
        if not answers:
            return opening(task)
        if len(answers) > MOST_CONFIRMED:
            return GOODBYE[lang]
        return _CONFIRM[lang].format(said=" ".join(dict.fromkeys(answers)))


@dataclass(frozen=True, slots=True)
class DumpingSeeker:
    """Lists all it has and asks which of it is needed, until it hears nothing new."""

    def say(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> str:
        """See `Seeker.say`."""
        lang, answers = written(task.lang), provider_answers(turns)
        if not answers:
            return opening(task)
        if len(answers) > MOST_DUMPED or answers[-1] in answers[:-1]:
            return GOODBYE[lang]
        forms = _DUMP[lang]
        return forms[(len(answers) - 1) % len(forms)].format(
            items=self._all(lang, task.items),
            skills=self._all(lang, task.skills),
            scenes=self._all(lang, task.scenes),
        )

    def _all(self, lang: str, options: Sequence[str]) -> str:
        return listed(lang, options, last="and") if options else _NONE[lang]
