"""Word questions and read answers with a chat model, a request each (ProADA, figures 16 and 17)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ....catalogs.errors import BadReply, QueryError
from ...models.chat_model import MAX_ANSWER, MAX_QUESTION, ChatModel, Request, spoken_reply
from ...models.prompt import load_prompt
from ...models.structured import ask_for
from ..keys import MAX_MEMBERS, SIZE, KeyTable, Known, Slot, Value, slot_of
from ..roles import Parsed, Question
from .verbalization import join_words, name_of, phrase

MAX_SLOTS = 120
"""Slots a model is shown; a question about everyone has at most twenty per key."""


@dataclass(frozen=True)
class LLMQuestionWriter:
    """Words questions with a model."""

    model: ChatModel
    episode: str = ""

    def write(
        self, question: Question, keys: KeyTable, known: Known, names: Mapping[int, str]
    ) -> str:
        """See `QuestionWriter.write`. Raises `ModelError` where the model gives no question."""
        asked_keys = [keys.key(name) for name in question.keys]
        people = [name_of(slot.member, names) for slot in question.slots if slot.member is not None]
        text = load_prompt("word_question").render(
            fact=join_words([phrase(key) for key in asked_keys]),
            people=join_words(list(dict.fromkeys(people))) or "the household as a whole",
            expected=join_words([key.expected for key in asked_keys]),
            requirement=question.requirement or "not stated",
            code=question.code or "none",
        )
        request = Request.of(text, role="questioner", episode=self.episode)
        return spoken_reply(self.model, request, MAX_QUESTION)


class HeardFact(BaseModel):
    """A fact as a model reports it."""

    model_config = ConfigDict(extra="ignore")

    slot: str = Field(max_length=120)
    value: bool | int | float | str


class HeardName(BaseModel):
    """What somebody is called."""

    model_config = ConfigDict(extra="ignore")

    person: int
    name: str = Field(max_length=80)


class HeardAnswer(BaseModel):
    """An answer as a model reads it."""

    model_config = ConfigDict(extra="ignore")

    facts: list[HeardFact] = []
    unknown: list[str] = []
    names: list[HeardName] = []


@dataclass(frozen=True)
class LLMAnswerParser:
    """Reads answers with a model; what it reports is checked against the keys."""

    model: ChatModel
    episode: str = ""

    def parse(
        self,
        question: Question,
        answer: str,
        keys: KeyTable,
        known: Known,
        names: Mapping[int, str],
    ) -> Parsed:
        """See `AnswerParser.parse`; a reply that cannot be read says nothing."""
        slots = _slots(question, keys, known)
        people = "\n".join(f"{member}: {name_of(member, names)}" for member in sorted({0, *names}))
        text = load_prompt("read_answer").render(
            question=question.text,
            answer=answer[:MAX_ANSWER],
            facts="\n".join(
                f"- {slot}: {phrase(keys.key(slot.key))}; {keys.key(slot.key).expected}"
                for slot in slots
            ),
            people=people,
        )
        request = Request.of(text, role="reader", episode=self.episode)
        try:
            reply = ask_for(self.model, request, HeardAnswer)
        except BadReply:
            return Parsed()
        return _parsed(reply, keys)


def _slots(question: Question, keys: KeyTable, known: Known) -> list[Slot]:
    """Return the slots asked for; with the household's size, its members' other keys too."""
    slots = list(question.slots)
    if SIZE in slots:
        along = [keys.key(name) for name in question.keys if name != SIZE.key]
        slots += [key.slot(member) for member in range(8) for key in along]
    return list(dict.fromkeys(slots))[:MAX_SLOTS]


def _parsed(reply: HeardAnswer, keys: KeyTable) -> Parsed:
    facts: dict[Slot, Value] = {}
    for fact in reply.facts:
        slot = slot_of(fact.slot, keys)
        try:
            if slot is not None:
                facts[slot] = keys.typed(slot, fact.value)
        except QueryError:
            continue
    unknown = [slot for text in reply.unknown if (slot := slot_of(text, keys)) is not None]
    names = {name.person: name.name for name in reply.names if 0 <= name.person < MAX_MEMBERS}
    return Parsed(facts, tuple(dict.fromkeys(unknown)), names)


def written_by(model: ChatModel | None) -> dict[str, Any]:
    """Return the parts of an agent that a model plays; none without one."""
    if model is None:
        return {}
    return {"parser": LLMAnswerParser(model), "writer": LLMQuestionWriter(model)}
