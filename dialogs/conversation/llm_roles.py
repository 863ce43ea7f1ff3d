"""Agent and role-player on a chat model, each with a prompt of its own.

Each question or answer is one call of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...catalogs.query.constraint import Constraint
from ..models.chat_model import MAX_ANSWER, MAX_QUESTION, ChatModel, Request, spoken_reply
from ..models.prompt import Prompt, load_prompt
from ..transcripts.transcript import Message, Transcript
from .roles import Question

HEARD = 20
"""How many of the last messages a model is given."""


def dialogue_of(transcript: Transcript) -> str:
    """Return the last messages of a conversation, a line each, for a prompt."""
    names = {"user": "Person", "assistant": "Assistant", "system": "System"}
    return transcript.lines(names, most=HEARD, longest=MAX_ANSWER)


@dataclass(frozen=True)
class LLMAgent:
    """Asks about the slots in the order given, in a model's words (AWARE-US, appendix D)."""

    model: ChatModel
    episode: str = ""
    prompt: Prompt = field(default_factory=lambda: load_prompt("ask_for_slot"))

    def ask(
        self, transcript: Transcript, known: Sequence[Constraint], slots: Sequence[str]
    ) -> Question | None:
        """See `Agent.ask`. Raises `ModelError` where the model gives no question."""
        if not slots:
            return None
        text = self.prompt.render(slot=slots[0], dialogue=dialogue_of(transcript))
        request = Request.of(text, role="agent", episode=self.episode)
        return Question(slots[0], spoken_reply(self.model, request, MAX_QUESTION))


@dataclass(frozen=True)
class LLMRolePlayer:
    """Answers from a persona in a model's words (AWARE-US, appendix D)."""

    model: ChatModel
    persona: str
    episode: str = ""
    prompt: Prompt = field(default_factory=lambda: load_prompt("answer_as_persona"))

    def answer(self, question: Question, transcript: Transcript) -> str:
        """See `RolePlayer.answer`. Raises `ModelError` where the model gives no answer."""
        messages = (
            Message("system", self.prompt.render(persona=self.persona)),
            Message("user", question.text),
        )
        request = Request(messages, role="role-player", episode=self.episode)
        return spoken_reply(self.model, request, MAX_ANSWER)
