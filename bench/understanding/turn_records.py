"""Turns that people typed to an assistant, with what each sentence does and what is said of what.

A line of JSON a turn: `before`, what the assistant had said, and `said`, sentences with their acts;
in the words `{role:words}` marks what is named (`bench/understanding/turns/README.md`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from ...catalogs.errors import QueryError, excerpt
from ...dialogs.conversation.acts import LABELS, Span
from ..json_lines import read_records

_FOLDER = Path(__file__).with_name("turns")
WRITTEN, STRANGERS, HELD_OUT = (
    _FOLDER / f"{name}.jsonl" for name in ("written", "strangers", "held_out")
)

_MARK = re.compile(r"\{(\w+):([^{}]*)\}")
ROLES = ("wish", "also", "drop", "keep", "ask", "tell", "take", "pass", "about")
"""What is said of something named: it is wished for (or refused); it is as good as what was said
before; it was wished and does not matter any more; it must stay; it is asked about; it is told, a
reason or a fact; it names an item that is taken; one that is passed over; one that is spoken of.
"""

ACT_NAMES = (*(f"{name} {topic}".strip() for name, topic in LABELS), "ask compare")
"""The acts that sentences are labelled with: those that are read, and asking how items differ."""


@dataclass(frozen=True, slots=True)
class Marked:
    """Characters of a turn that name something, and what is said of it, one of `ROLES`."""

    span: Span
    role: str


@dataclass(frozen=True, slots=True)
class MarkedTurn:
    """A turn, what was said before it, its marks, and the names of each sentence's acts."""

    text: str
    before: str
    marks: tuple[Marked, ...]
    sentences: tuple[tuple[Span, frozenset[str]], ...]


def read_turns(path: Path) -> Iterator[MarkedTurn]:
    """Yield the turns of a file. Raises `UnreadableFile` that names the line of what is wrong."""
    return read_records(path, _read)


def marked_turn(before: str, said: Sequence[tuple[str, str]]) -> MarkedTurn:
    """Return a turn of sentences with marks, each with its acts, separated by commas.

    Raises `QueryError` for an unknown role or act.
    """
    text = ""
    marks: list[Marked] = []
    sentences: list[tuple[Span, frozenset[str]]] = []
    for words, named in said:
        words = words.strip()
        text += " " if text else ""
        start, at = len(text), 0
        for mark in _MARK.finditer(words):
            text += words[at : mark.start()]
            end = len(text) + len(mark[2])
            marks.append(Marked((len(text), end), _known(mark[1], ROLES)))
            text, at = text + mark[2], mark.end()
        text += words[at:]
        acts = (act.strip() for act in named.split(","))
        sentences.append(
            ((start, len(text)), frozenset(_known(act, ACT_NAMES) for act in acts if act))
        )
    return MarkedTurn(text, before, tuple(marks), tuple(sentences))


def _known(name: str, names: Sequence[str]) -> str:
    if name not in names:
        raise QueryError(f"unknown label {excerpt(name)}", hint=f"one of {', '.join(names)}")
    return name


class _Record(BaseModel):
    before: str
    said: list[tuple[str, str]]


def _read(record: Any) -> MarkedTurn:
    turn = _Record.model_validate(record)
    return marked_turn(turn.before, turn.said)
