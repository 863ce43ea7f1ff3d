"""Phrases, frames and domains that the training corpus is made of, and which are held out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

HELD_FAMILIES = frozenset(
    {
        (1.0, "essential"), (1.0, "formal"), (1.0, "nonnative"), (0.8, "reluctance"),
        (0.8, "nonnative"), (0.8, "formal"), (0.55, "middling"), (0.55, "nonnative"),
        (0.55, "british"), (0.35, "yielding"), (0.35, "british"), (0.35, "nonnative"),
        (0.12, "formal"), (0.12, "nonnative"), (0.12, "reason"), (0.02, "formal"),
        (0.02, "nonnative"), (0.02, "sms"),
    }
)  # fmt: skip
"""Kept from training while the held-out figures are measured: importance, family."""

HELD_DOMAINS = frozenset({"cameras", "shoes", "courses"})
HELD_REGISTERS = frozenset({"bullets", "she"})


@dataclass(frozen=True, slots=True)
class Phrase:
    """A way to say that something has this importance in [0, 1]."""

    importance: float
    family: str
    text: str


@dataclass(frozen=True, slots=True)
class Slot:
    """A column that people wish something of, and how they say it."""

    column: str
    op: str
    values: tuple[Any, ...]
    wishes: tuple[str, ...]
    topics: tuple[str, ...]


@cache
def phrases() -> tuple[Phrase, ...]:
    """Return every phrase of `phrases.txt`."""
    return tuple(_phrases())


def _phrases() -> Iterator[Phrase]:
    importance, family = 0.0, ""
    for line in (HERE / "phrases.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            importance = float(line.strip("[]"))
        elif line.startswith("## "):
            family = line[3:]
        elif line and not line.startswith("#"):
            yield Phrase(importance, family, line)


@cache
def frames() -> dict[str, tuple[str, ...]]:
    """Return the sentences of `frames.txt` by section."""
    sections: dict[str, list[str]] = {}
    section = ""
    for line in (HERE / "frames.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            sections.setdefault(section, []).append(line)
    return {name: tuple(lines) for name, lines in sections.items()}


@cache
def domains() -> dict[str, tuple[Slot, ...]]:
    """Return the domains of `domains.json` with their slots."""
    record = json.loads((HERE / "domains.json").read_text(encoding="utf-8"))
    return {
        name: tuple(
            Slot(column, op, tuple(values), tuple(wishes), tuple(topics))
            for column, (op, values, wishes, topics) in slots.items()
        )
        for name, slots in record.items()
    }
