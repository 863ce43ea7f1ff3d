"""Transcript: messages in order, and the spans of them that serve as evidence."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast, get_args

from ...catalogs.errors import QueryError, excerpt

Role = Literal["system", "user", "assistant"]
ROLES: tuple[str, ...] = get_args(Role)

MAX_CHARACTERS = 1_000_000
"""Of one transcript; no conversation is longer, and every reader's work grows with it."""

_NOT_TYPED = re.compile("[\x00-\x08\x0e-\x1b\x7f\u202d\u202e]")
"""What ends a string, commands a terminal, or has what follows shown the other way round."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. `role` is `user` for the person, `assistant` for whoever asks.

    `slot`: the column that the turn asks about, where that is known; no record holds it.
    """

    role: Role
    content: str
    slot: str = field(default="", compare=False)

    @property
    def is_typed(self) -> bool:
        """Whether it holds nothing but what people type: no control characters but blanks."""
        return _NOT_TYPED.search(self.content) is None

    def record(self) -> dict[str, str]:
        """Return the message as chat models and transcripts write it."""
        return {"role": self.role, "content": self.content}


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` (excluded) of message number `message`, and their text."""

    message: int
    start: int
    end: int
    text: str

    def record(self) -> dict[str, Any]:
        """Return the span as a JSON object."""
        return {"message": self.message, "start": self.start, "end": self.end, "text": self.text}


@dataclass(frozen=True, slots=True)
class Transcript:
    """Messages in the order they were said."""

    messages: tuple[Message, ...]

    def __iter__(self) -> Iterator[Message]:
        return iter(self.messages)

    def __len__(self) -> int:
        return len(self.messages)

    @classmethod
    def of(cls, said: Transcript | str | Iterable[Message | Mapping[str, Any]]) -> Transcript:
        """Return a transcript of one text (said by the user), of messages or of their records.

        Raises `QueryError` for a record that is no message and for more than
        `MAX_CHARACTERS` characters.
        """
        if isinstance(said, Transcript):
            return said
        if isinstance(said, str):
            messages = (Message("user", said),)
        else:
            messages = tuple(_message(message) for message in said)
        length = sum(len(message.content) for message in messages)
        if length > MAX_CHARACTERS:
            raise QueryError(
                f"a transcript of {length:,} characters", hint=f"give at most {MAX_CHARACTERS:,}"
            )
        return cls(messages)

    def by(self, role: Role) -> tuple[tuple[int, Message], ...]:
        """Return the messages of one role with their numbers."""
        return tuple(
            (at, message) for at, message in enumerate(self.messages) if message.role == role
        )

    def typed(self) -> Transcript:
        """Return it with blanks in place of every message of the user that nobody typed."""
        return Transcript(
            tuple(
                message
                if message.is_typed or message.role != "user"
                else replace(message, content=" " * len(message.content))
                for message in self.messages
            )
        )

    def without(self, unsaid: Collection[int]) -> Transcript:
        """Return it with nothing in the place of some messages of the user, by their positions."""
        if not unsaid:
            return self
        return Transcript(
            tuple(
                Message(message.role, "") if at in unsaid and message.role == "user" else message
                for at, message in enumerate(self.messages)
            )
        )

    def lines(
        self, names: Mapping[str, str], *, most: int | None = None, longest: int | None = None
    ) -> str:
        """Return the messages of the roles in `names` as lines of a prompt, each behind its name.

        `most`: only so many of the last messages; `longest`: characters kept of each.
        """
        return "\n".join(
            f"{names[message.role]}: {' '.join(message.content[:longest].split())}"
            for message in self.messages[-(most or len(self)) :]
            if message.role in names
        )

    def records(self) -> list[dict[str, str]]:
        """Return the messages as a JSON list."""
        return [message.record() for message in self.messages]


def _message(value: object) -> Message:
    if isinstance(value, Message):
        return value
    record: Mapping[str, Any] = cast("Any", value) if isinstance(value, Mapping) else {}
    role, content = record.get("role"), record.get("content")
    if role in ROLES and isinstance(content, str):
        return Message(cast("Role", role), content)
    raise QueryError(
        f"{excerpt(cast('object', value))} is no message", hint="write {role, content}"
    )
