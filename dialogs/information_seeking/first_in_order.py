"""A provider that tells the first untold fact whatever it is asked: a floor for others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .task import ROOT, ClarificationTask, ProviderReply, SpokenTurn
from .telling import releasable, told_before

GREETINGS = {"en": "What can I do for you?", "zh": "有什么可以帮助你？"}
NOTHING_LEFT = {"en": "You know all that you need.", "zh": "你已经知道所需要的一切。"}


@dataclass(frozen=True)
class FirstInOrder:
    """Releases one node a turn, in the order of the tree, until none is left."""

    def reply(self, task: ClarificationTask, turns: Sequence[SpokenTurn]) -> ProviderReply:
        """See `Provider.reply`."""
        if not turns:
            return ProviderReply(GREETINGS[task.lang])
        told = told_before(task, turns)
        if ROOT not in told:
            return ProviderReply(task.responses[0].text, (), 1)
        due = releasable(task, told)
        if not due:
            return ProviderReply(NOTHING_LEFT[task.lang], (), 3)
        return ProviderReply(due[0].text, (due[0].node,), 2)
