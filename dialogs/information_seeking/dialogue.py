"""A dialogue between a seeker and a provider, until one says goodbye or it is long enough."""

from __future__ import annotations

import re
from collections.abc import Callable

from .task import ClarificationTask, Provider, ProviderReply, Seeker, SpokenTurn

MAX_TURNS = 24
"""Messages of a dialogue, the greeting included (the origin's loop; its text says 14)."""

GOODBYE = re.compile(r"\bgood[- ]?bye\b|再见", re.IGNORECASE)

Said = Callable[[SpokenTurn, ProviderReply | None], None]
"""Hears each turn as it is said; of a provider's turn also the reply it came from."""


def is_goodbye(text: str) -> bool:
    """Return whether a turn ends the dialogue."""
    return GOODBYE.search(text) is not None


def unheard(turn: SpokenTurn, reply: ProviderReply | None) -> None:
    """Do nothing with a turn."""


def converse(
    seeker: Seeker,
    provider: Provider,
    task: ClarificationTask,
    max_turns: int = MAX_TURNS,
    said: Said = unheard,
) -> tuple[SpokenTurn, ...]:
    """Hold a dialogue and return its turns; the provider greets, the seeker speaks last.

    Raises whatever the agents raise: `AgentError`, `ModelError`.
    """
    known = task.for_seeker()
    turns: list[SpokenTurn] = []
    while len(turns) < max_turns:
        if len(turns) % 2:
            turn, reply = SpokenTurn("seeker", seeker.say(known, tuple(turns))), None
        else:
            reply = provider.reply(task, tuple(turns))
            turn = SpokenTurn("provider", reply.text)
        turns.append(turn)
        said(turn, reply)
        if turn.speaker == "seeker" and is_goodbye(turn.text):
            break
    return tuple(turns)
