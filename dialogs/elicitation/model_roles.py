"""Planner, traveller and stenographer on a chat model (APEC-Travel, 3.3 and A.6).

A model is believed only as far as it can be checked: it chooses among entries that are open, and
takes down values that an entry can have, each with words that the traveller really said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from ...catalogs.errors import BadReply, QueryError, excerpt
from ..models.chat_model import MAX_ANSWER, MAX_QUESTION, ChatModel, Request, spoken_reply
from ..models.prompt import Prompt, load_prompt
from ..models.structured import ask_for
from ..transcripts.transcript import Span, Transcript
from .agents import Asked, TakenDown
from .profile import Known, Profile
from .schema import Entry, Schema, Value

THINK = 'Before them, give as "thought" in one sentence why it matters most.'

NAMES = {"user": "Traveller", "assistant": "Agent"}

HEARD, LONGEST = 60, 2_000
"""The last messages a model is given, and characters of each."""


class ChosenEntry(BaseModel):
    """What a planner's model gives."""

    thought: str = Field(default="", max_length=5_000)
    entry: str = Field(max_length=200)
    question: str = Field(max_length=5_000)


class Noted(BaseModel):
    """One thing that a stenographer's model took down."""

    entry: str = Field(max_length=200)
    value: str | int | float
    quote: str = Field(max_length=5_000)


class Notes(BaseModel):
    """All of them."""

    notes: list[Noted] = Field(max_length=500)


def entry_lines(entries: Iterable[Entry]) -> str:
    """Return entries with their possible values, a line each, for a prompt."""
    return "\n".join(f"- {entry.name}: {_possible(entry)}" for entry in entries)


def _possible(entry: Entry) -> str:
    if not entry.is_number:
        return ", ".join(entry.choices)
    return f"a number from {entry.low:g} to {entry.high:g}" if entry.high else "a number"


@dataclass(frozen=True)
class ModelPlanner:
    """Asks what a model chooses. `think`: it says why before it does (Table 3)."""

    model: ChatModel
    think: bool = False
    prompt: Prompt = field(default_factory=lambda: load_prompt("choose_entry"))

    def next(
        self, schema: Schema, profile: Profile, asked: Sequence[Asked], said: Transcript
    ) -> Asked | None:
        """Return the model's question; None where nothing is open.

        Raises `BadReply` for an entry that is not open, and any other `ModelError`.
        """
        done = {question.entry for question in asked}
        left = [e for e in schema.askable if e.name not in profile and e.name not in done]
        if not left:
            return None
        known = "\n".join(f"- {name}: {one.value}" for name, one in profile.items())
        text = self.prompt.render(
            open=entry_lines(left),
            known=known or "nothing",
            dialogue=said.lines(NAMES, most=HEARD, longest=LONGEST),
            thinking=THINK if self.think else "",
        )
        chosen = ask_for(self.model, Request.of(text, role="agent"), ChosenEntry)
        if chosen.entry not in {entry.name for entry in left}:
            raise BadReply(
                f"{self.model.name} asks about {excerpt(chosen.entry)}, which is not open",
                hint="try another model",
            )
        question = " ".join(chosen.question.split())[:MAX_QUESTION]
        return Asked(chosen.entry, question, thought=chosen.thought if self.think else "")


@dataclass(frozen=True)
class ModelTraveller:
    """Answers in a model's words. The model is told the one value it is asked for, no other."""

    model: ChatModel
    schema: Schema
    profile: Mapping[str, Value]
    opening: str
    style: str = "casual"
    prompt: Prompt = field(default_factory=lambda: load_prompt("answer_as_traveller"))

    def request(self) -> str:
        """Return the opening sentence."""
        return self.opening

    def answer(self, asked: Asked) -> str:
        """Return an answer; raise `ModelError` where the model gives none."""
        text = self.prompt.render(
            style=self.style,
            entry=self.schema.find(asked.entry).label,
            value=self.profile.get(asked.entry, "nothing in particular"),
            question=asked.text,
        )
        return spoken_reply(self.model, Request.of(text, role="traveller"), MAX_ANSWER)


@dataclass(frozen=True)
class ModelStenographer:
    """Takes down what a model finds in the last message, with evidence that is checked."""

    model: ChatModel
    prompt: Prompt = field(default_factory=lambda: load_prompt("take_down_profile"))

    def read(
        self, schema: Schema, profile: Profile, asked: Asked | None, said: Transcript
    ) -> TakenDown:
        """See `Stenographer.read`. Raises `ModelError` where the model gives no notes."""
        messages = list(said)
        recent = Transcript(tuple(messages[-2:]))
        text = self.prompt.render(
            entries=entry_lines(schema.entries if asked is None else [schema.find(asked.entry)]),
            dialogue=recent.lines(NAMES, most=2, longest=LONGEST),
        )
        notes = ask_for(self.model, Request.of(text, role="stenographer"), Notes)
        learned = [
            known
            for note in notes.notes
            if (known := _checked(schema, note, len(messages) - 1, messages[-1].content))
        ]
        answered = asked is None or any(known.entry == asked.entry for known in learned)
        return TakenDown(profile.with_(*learned), vague=not answered)


def _checked(schema: Schema, note: Noted, message: int, text: str) -> Known | None:
    """Return a note as knowledge; None where entry, value or words do not bear it out."""
    start = text.find(note.quote) if note.quote.strip() else -1
    if start < 0 or note.entry not in schema:
        return None
    try:
        value = schema.find(note.entry).value_of(note.value)
    except QueryError:
        return None
    return Known(note.entry, value, Span(message, start, start + len(note.quote), note.quote))
