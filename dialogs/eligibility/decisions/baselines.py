"""Deciders without programs: direct prompting and ReAct with READY and PREDICT, and chance.

ProADA, sections 2.7 and 4 and figures 6 to 12: after each answer the model is asked whether it
is ready; when it is, or no question is left, it predicts every program in one request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Annotated

from annotated_types import Len
from pydantic import TypeAdapter

from ....catalogs.errors import BadReply
from ...models.chat_model import MAX_QUESTION, ChatModel, Request, spoken_reply
from ...models.prompt import load_prompt
from ...models.structured import ask_for
from ...transcripts.transcript import Message, Transcript
from ..roles import Decision, Parsed, Question, most_questions

MAX_REASONING, MAX_DIALOGUE = 8_000, 60_000

_TRUTH = re.compile(r"\b(true|false)\b", re.IGNORECASE)
_ASKED = re.compile(r"question\s*:\s*(.+)$", re.IGNORECASE | re.DOTALL)


@dataclass
class PromptingDecider:
    """Asks and decides by prompting alone; `thinks` aloud before each step (ReAct). A `Decider`.

    `requirements`: each program's plain text by name.
    """

    requirements: Mapping[str, str]
    model: ChatModel
    thinks: bool = False
    max_questions: int | None = None
    episode: str = ""
    messages: list[Message] = field(default_factory=list[Message])
    questions: list[Question] = field(default_factory=list[Question])
    _decided: dict[str, Decision] = field(default_factory=dict[str, Decision])

    @property
    def turns(self) -> int:
        """How many questions were asked."""
        return len(self.questions)

    @property
    def transcript(self) -> Transcript:
        """All that was said."""
        return Transcript(tuple(self.messages))

    def next_question(self) -> Question | None:
        """Return the next question; None when the model is ready, or enough was asked."""
        most = most_questions(tuple(self.requirements))
        if self.turns >= (most if self.max_questions is None else self.max_questions):
            return None
        if self.questions and self._ready():
            return None
        said = self._say("clarify", MAX_QUESTION if not self.thinks else MAX_REASONING)
        match = _ASKED.search(said) if self.thinks else None
        question = Question((match[1] if match else said).strip()[:MAX_QUESTION])
        self.questions.append(question)
        self.messages.append(Message("assistant", question.text))
        return question

    def _ready(self) -> bool:
        said = _TRUTH.findall(self._say("ready", MAX_REASONING))
        # Whoever thinks aloud says the word last; nothing that can be read is no "ready".
        return bool(said) and said[-1 if self.thinks else 0].lower() == "true"

    def observe(self, text: str) -> Parsed:
        """Take in the answer to the last question; nothing is read out of it."""
        self.messages.append(Message("user", text))
        self._decided = {}
        return Parsed()

    def decisions(self) -> dict[str, Decision]:
        """Return what the model predicts; undecided where its reply cannot be read."""
        if not self._decided:
            names = tuple(self.requirements)
            try:
                predicted: Sequence[bool | None] = self._predict(len(names))
            except BadReply:
                predicted = [None] * len(names)
            self._decided = {
                name: Decision(
                    name, outcome, why="" if outcome is not None else "no usable prediction"
                )
                for name, outcome in zip(names, predicted, strict=True)
            }
        return self._decided

    def _predict(self, count: int) -> Sequence[bool]:
        reasoning = ""
        if self.thinks:
            reasoning = f"Your reasoning was:\n{self._say('predict', MAX_REASONING)}\n"
        text = load_prompt("predict").render(
            requirements=self._requirements(),
            dialogue=self._dialogue(),
            count=count,
            reasoning=reasoning,
        )
        kind: TypeAdapter[list[bool]] = TypeAdapter(Annotated[list[bool], Len(count, count)])
        return ask_for(self.model, self._request(text), kind)

    def _say(self, step: str, longest: int) -> str:
        prompt = load_prompt(f"{step}_thinking" if self.thinks else step)
        text = prompt.render(requirements=self._requirements(), dialogue=self._dialogue())
        return spoken_reply(self.model, self._request(text), longest)

    def _request(self, text: str) -> Request:
        return Request.of(text, role="decider", episode=self.episode)

    def _requirements(self) -> str:
        numbered = enumerate(self.requirements.items(), 1)
        return "\n\n".join(f"{number}. {name}\n{text}" for number, (name, text) in numbered)

    def _dialogue(self) -> str:
        """Return all that was said, the latest if it is too much."""
        names = {"user": "Person", "assistant": "Assistant", "system": "System"}
        said = ((names[message.role], message.content.split()) for message in self.messages)
        lines = [f"{name}: {' '.join(words)}" for name, words in said]
        return "\n".join(lines)[-MAX_DIALOGUE:] or "nothing yet"


class DirectDecider(PromptingDecider):
    """Direct prompting."""


@dataclass
class ReActDecider(PromptingDecider):
    """Reasoning aloud before each step."""

    thinks: bool = True


class RandomDecider:
    """Asks nothing and decides by chance, P(eligible) = 0.5, the same for the same seed."""

    def __init__(self, names: Sequence[str], seed: int | str = 0) -> None:
        self.names = tuple(names)
        self.seed = seed

    @property
    def turns(self) -> int:
        """No question was asked."""
        return 0

    def next_question(self) -> Question | None:
        """Ask nothing."""
        return None

    def observe(self, text: str) -> Parsed:
        """Hear nothing."""
        return Parsed()

    def decisions(self) -> dict[str, Decision]:
        """Return a toss of a coin for every program."""
        random = Random(self.seed)
        return {name: Decision(name, random.random() < 0.5) for name in self.names}
