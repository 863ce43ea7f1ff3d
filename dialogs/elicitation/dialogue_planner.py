"""A planner that is a model in the conversation itself, as it is trained (APEC-Travel, A.8).

The model gets the turns and says the next one, with a thought nobody hears. Which entry it asks
about is told from its words. A question that is about none ends the dialogue; one that was asked
before costs a round, as it would with a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..models.chat_model import MAX_QUESTION, ChatModel, Request
from ..models.prompt import Prompt, load_prompt
from ..transcripts.transcript import Message, Transcript
from .agents import Asked
from .asked_entry import entry_asked
from .planners import open_entries
from .profile import Profile
from .schema import Schema
from .thoughts import with_thought, without_thought

LONGEST_REPLY = 200
"""Tokens of a turn."""


@dataclass(frozen=True)
class DialoguePlanner:
    """Asks what a model says next. `temperature` and `seed` draw one of several dialogues."""

    model: ChatModel
    temperature: float | None = None
    seed: int | None = None
    prompt: Prompt = field(default_factory=lambda: load_prompt("ask_traveller"))

    def next(
        self, schema: Schema, profile: Profile, asked: Sequence[Asked], said: Transcript
    ) -> Asked | None:
        """Return the model's question; None where nothing is open, or it asks about nothing.

        Raises any `ModelError` of the model.
        """
        if not open_entries(schema, profile, asked):
            return None
        turns = [Message("system", self.prompt.render()), *_heard(said, asked)]
        seed = None if self.seed is None else self.seed + len(asked)
        request = replace(
            Request.of(turns, role="agent"),
            temperature=self.temperature,
            seed=seed,
            max_tokens=LONGEST_REPLY,
        )
        thought, text = without_thought(self.model.complete(request).text)
        question = " ".join(text.split())[:MAX_QUESTION]
        entry = entry_asked(schema, question)
        if entry is None or entry not in schema.askable:
            return None
        return Asked(entry.name, question, thought=thought)


def _heard(said: Transcript, asked: Sequence[Asked]) -> list[Message]:
    """Return the turns from the request on, the agent's with what it thought."""
    turns = list(said)[1:]
    thoughts = iter(question.thought for question in asked)
    return [
        message
        if message.role == "user"
        else Message("assistant", with_thought(next(thoughts, ""), message.content))
        for message in turns
    ]
