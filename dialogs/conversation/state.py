"""All that a step of a conversation may change, kept before it so that it can be taken back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...catalogs.query.constraint import Constraint, Objective
from ...engine.answer import Item
from ..weighters.weighter import Weighing
from .proposal import Proposal


@dataclass(frozen=True)
class State:
    """All that a step may change.

    `basket` is all that is taken, `numbers` how many of which row, `shortlist` what is kept in
    mind; `messages` is how many there were.
    """

    base: tuple[Constraint, ...]
    soft: tuple[Constraint, ...]
    objectives: tuple[Objective, ...]
    weights: tuple[tuple[str, float], ...]
    closed: tuple[str, ...]
    proposal: Proposal | None
    weighing: Weighing | None
    place: int
    doubtful: tuple[int, ...]
    accepted: dict[str, Any] | None
    ended: str | None
    refused: frozenset[str] = frozenset()
    passed: frozenset[int] = frozenset()
    basket: tuple[Item, ...] = ()
    numbers: tuple[tuple[int, int], ...] = ()
    shortlist: tuple[Item, ...] = ()
    messages: int = field(default=0, compare=False)
