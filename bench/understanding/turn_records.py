"""Turns that people typed to an assistant, with what each sentence does and what is said of what.

A line of JSON a turn: `before`, what the assistant had said, and `said`, sentences with their acts;
in the words `{role:words}` marks what is named, `{role:words=Column:value}` with what it means
(`bench/understanding/turns/README.md`). A line with `columns` is the catalog of those below it.
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

FOLDER = Path(__file__).with_name("turns")
WRITTEN, SPOKEN, READ, TYPED, STRANGERS, HELD_OUT, FRESH, TYPED_HELD_OUT = (
    FOLDER / f"{name}.jsonl"
    for name in (
        "written",
        "spoken",
        "read",
        "typed",
        "strangers",
        "held_out",
        "fresh",
        "typed_held_out",
    )
)

_MARK = re.compile(r"\{(\w+):([^{}=]*)(?:=([^{}]*))?\}")
ROLES = ("wish", "also", "drop", "keep", "ask", "tell", "take", "pass", "about")
"""What is said of something named: it is wished for (or refused); it is as good as what was said
before; it was wished and does not matter any more; it must stay; it is asked about; it is told, a
reason or a fact; it names an item that is taken; one that is passed over; one that is spoken of.
"""

FIRST_NAMES = (*(f"{name} {topic}".strip() for name, topic in LABELS), "ask compare")
"""The acts that sentences were labelled with first."""

ACT_NAMES = (*FIRST_NAMES, "ask total", "ask best", "note", "cancel", "request")
"""The acts that sentences are labelled with: those that are read by words, and others besides.

Asking how items differ, for a sum, for what has most of something of all there is; keeping an item
in mind, giving one back, and asking for what no catalog can do.
"""


NOT_READ = ("correct", "affirm", "dont_know", "inform intent", "affirm intent", "negate intent")
"""Acts that are no moves of a chat model."""


@dataclass(frozen=True, slots=True)
class Marked:
    """Characters of a turn that name something, and what is said of it, one of `ROLES`.

    `meaning`: the column, or `column:value`, that is named in other words than its own.
    """

    span: Span
    role: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class MarkedTurn:
    """A turn, what was said before it, its marks, and the names of each sentence's acts.

    `acts`: those that whoever labelled it knew; `has_roles`: whether what is named is marked.
    """

    text: str
    before: str
    marks: tuple[Marked, ...]
    sentences: tuple[tuple[Span, frozenset[str]], ...]
    acts: Sequence[str] = FIRST_NAMES
    has_roles: bool = True


def read_turns(path: Path) -> Iterator[MarkedTurn]:
    """Yield the turns of a file. Raises `UnreadableFile` that names the line of what is wrong."""
    known = FIRST_NAMES if path in (WRITTEN, STRANGERS, HELD_OUT) else ACT_NAMES
    known = [name for name in known if path != READ or name not in NOT_READ]

    def read(record: Any) -> MarkedTurn | None:
        if "columns" in record:
            return None
        turn = _Record.model_validate(record)
        return marked_turn(turn.before, turn.said, known, has_roles=path != READ)

    return (turn for turn in read_records(path, read) if turn is not None)


def marked_turn(
    before: str,
    said: Sequence[tuple[str, str]],
    known: Sequence[str] = FIRST_NAMES,
    *,
    has_roles: bool = True,
) -> MarkedTurn:
    """Return a turn of sentences with marks, each with its acts, separated by commas.

    Raises `QueryError` for a role or act that is not known.
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
            marks.append(Marked((len(text), end), _known(mark[1], ROLES), mark[3] or ""))
            text, at = text + mark[2], mark.end()
        text += words[at:]
        acts = (act.strip() for act in named.split(","))
        sentences.append(((start, len(text)), frozenset(_known(act, known) for act in acts if act)))
    return MarkedTurn(text, before, tuple(marks), tuple(sentences), known, has_roles)


def _known(name: str, names: Sequence[str]) -> str:
    if name not in names:
        raise QueryError(f"unknown label {excerpt(name)}", hint=f"one of {', '.join(names)}")
    return name


class _Record(BaseModel):
    before: str
    said: list[tuple[str, str]]
