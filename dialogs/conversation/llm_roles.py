"""Agent, role-player and persona writer on a chat model, each with a prompt of its own.

Each question, answer or persona is one call of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ..models.chat_model import MAX_ANSWER, MAX_QUESTION, ChatModel, Request, spoken_reply
from ..models.prompt import Prompt, load_prompt
from ..transcripts.transcript import Message, Transcript
from .roles import Question
from .simulators import HIGH, MEDIUM, phrase_of

MAX_PERSONA = 4_000
"""Characters kept of a persona that a model writes."""

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


@dataclass(frozen=True)
class LLMPersonaWriter:
    """Writes personas in a model's words, by the bands of AWARE-US, appendix B."""

    model: ChatModel
    episode: str = ""
    prompt: Prompt = field(default_factory=lambda: load_prompt("write_persona"))

    def write(self, query: Query, *, softest: int | None = None) -> str:
        """See `PersonaWriter.write`. Raises `ModelError` where the model gives no text."""
        base = "; ".join(phrase_of(constraint) for constraint in query.base) or "anything"
        text = self.prompt.render(base=base, wishes=_bands(query, softest))
        request = Request.of(text, role="persona writer", episode=self.episode)
        return spoken_reply(self.model, request, MAX_PERSONA)


def _bands(query: Query, softest: int | None) -> str:
    order = sorted(
        range(len(query.constraints)),
        key=lambda at: (at == softest, -query.constraints[at].importance, at),
    )
    lines: list[str] = []
    for rank, at in enumerate(order):
        constraint = query.constraints[at]
        if at == softest:
            tone = "the softest: changed without regret"
        elif rank == 0:
            tone = "the most important: no compromise"
        elif constraint.importance >= HIGH:
            tone = "very important: fairly set on it"
        else:
            tone = "somewhat important" if constraint.importance >= MEDIUM else "flexible"
        lines.append(f"- {phrase_of(constraint)} ({tone})")
    return "\n".join(lines)
