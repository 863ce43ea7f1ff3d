"""Dialogues from a file, to be judged: a JSON array of `{id, messages: [{role, content}]}`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ...catalogs.errors import UnreadableFile, excerpt
from ...dialogs.transcripts.transcript import Message, Role, Transcript
from ..json_lines import read_values

ROLES: Mapping[str, Role] = {
    "agent": "assistant",
    "traveller": "user",
    "assistant": "assistant",
    "user": "user",
}

HINT = 'give {"id": …, "messages": [{"role": "agent" or "traveller", "content": …}]}'

MAX_CHARACTERS = 10_000
"""Of a message; the rest is not read."""


@dataclass(frozen=True, slots=True)
class ReadDialogue:
    """A dialogue of a file."""

    id: str
    said: Transcript


def read_dialogues(path: str | Path) -> list[ReadDialogue]:
    """Return the dialogues of a file. Raises `UnreadableFile` naming what is wrong."""
    return [_dialogue(path, number, value) for number, value in enumerate(read_values(path), 1)]


def _dialogue(path: str | Path, number: int, value: object) -> ReadDialogue:
    record = _mapping(value)
    if "id" not in record or not isinstance(record.get("messages"), list):
        raise UnreadableFile(str(path), f"dialogue {number} has no id or messages", hint=HINT)
    said = tuple(_message(path, number, one) for one in record["messages"])
    return ReadDialogue(str(record["id"]), Transcript(said))


def _message(path: str | Path, number: int, value: object) -> Message:
    record = _mapping(value)
    role, content = record.get("role"), record.get("content")
    if role not in ROLES or not isinstance(content, str):
        reason = f"dialogue {number}: a message of {excerpt(str(role))} is none"
        raise UnreadableFile(str(path), reason, hint=HINT)
    return Message(ROLES[str(role)], content[:MAX_CHARACTERS])


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}
