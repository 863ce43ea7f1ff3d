"""A seeker on a chat model: the background as a system message, or all in one message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..models.chat_model import ChatModel, Request, spoken_reply
from ..models.prompt import load_prompt
from ..transcripts.transcript import Message
from .task import SeekerTask, SpokenTurn
from .wording import written

SeekerMode = Literal["chat", "comp"]

LONGEST = 2_000
"""Characters kept of a turn."""

_NAMES = {"en": ("Provider", "You"), "zh": ("对方", "你")}
_SPEAKER = re.compile(r"^(?:you|seeker|me|你|我)\s*[:：]\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ModelSeeker:
    """Asks what the model says; it is shown the background and the dialogue, never the tree.

    `chat`: the background is the system message, the dialogue the messages after it, the
    provider as the user. `comp`: background and dialogue are one message of the user. One
    call a turn; raises `BadReply` where the model says nothing, and any `ModelError`.
    """

    model: ChatModel
    mode: SeekerMode = "chat"

    def say(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> str:
        """See `Seeker.say`."""
        messages = self._chat(task, turns) if self.mode == "chat" else self._comp(task, turns)
        request = Request(messages, role="seeker", episode=f"{task.id} {task.lang}")
        said = spoken_reply(self.model, request, LONGEST)
        own = f"{task.role}:"
        said = said[len(own) :] if said.lower().startswith(own.lower()) else said
        return _SPEAKER.sub("", said.strip()) or said

    def _chat(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> tuple[Message, ...]:
        prompt = load_prompt(f"seek_in_chat_{written(task.lang)}")
        system = Message("system", prompt.render(background=task.background))
        said = (
            Message("user" if turn.speaker == "provider" else "assistant", turn.text)
            for turn in turns
        )
        return (system, *said)

    def _comp(self, task: SeekerTask, turns: Sequence[SpokenTurn]) -> tuple[Message, ...]:
        provider, seeker = _NAMES[written(task.lang)]
        lines = (
            f"{provider if turn.speaker == 'provider' else seeker}: {turn.text}" for turn in turns
        )
        prompt = load_prompt(f"seek_at_once_{written(task.lang)}")
        text = prompt.render(background=task.background, dialogue="\n".join(lines))
        return (Message("user", text),)
