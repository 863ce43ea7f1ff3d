"""Rows from elicitations as benchmarks write them: the agent's turns, each with its thought.

A record is {"id", "messages", "thoughts" by message number, "profile"} (`apec.seed_dialogues`).
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from ...catalogs.errors import QueryError
from ...dialogs.elicitation.thoughts import with_thought
from ...dialogs.models.prompt import load_prompt
from ...dialogs.transcripts.transcript import Transcript
from .rows import Row, fingerprint, json_text


class _Dialogue(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str | int
    messages: list[dict[str, Any]]
    thoughts: dict[int, str] = {}
    profile: dict[str, Any] = {}


def dialogue_prompt(request: str) -> list[dict[str, str]]:
    """Return the messages before the agent's first question."""
    system = {"role": "system", "content": load_prompt("ask_traveller").render()}
    return [system, {"role": "user", "content": request}]


def dialogue_row(value: object) -> Row:
    """Return the row of a recorded elicitation, without a split.

    Raises pydantic's `ValidationError` for another shape, `QueryError` where no agent asks.
    """
    record = _Dialogue.model_validate(value)
    said = list(Transcript.of(record.messages))
    first = next((at for at, message in enumerate(said) if message.role == "user"), len(said))
    turns = [(at, message) for at, message in enumerate(said) if at > first]
    while turns and turns[-1][1].role != "assistant":
        turns.pop()
    if not turns:
        raise QueryError(f"{record.id} holds no question of an agent", hint="leave it out")
    request = said[first].content
    return {
        "prompt": dialogue_prompt(request),
        "completion": [
            {
                "role": message.role,
                "content": with_thought(record.thoughts.get(at, ""), message.content),
            }
            for at, message in turns
        ],
        "meta": {
            "instance": str(record.id),
            "role": "agent",
            "fingerprint": fingerprint(json_text(sorted(record.profile.items())), request),
        },
    }
