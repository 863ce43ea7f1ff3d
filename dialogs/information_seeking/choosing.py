"""From chances to nodes: which to tell, one at a time or all that were asked for.

The recorded provider goes through the nodes in order and stops at the first that is asked for.
So the chance that node i is told is its own, times that of every earlier one's being passed
over; and that of none is that of all being passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from .task import ROOT, ClarificationTask
from .telling import releasable

Mode = Literal["single", "multi"]
"""Whether a turn releases at most one node, or all that were asked for."""

SILENT = 0.65
"""Chance of no node being asked for, from which on none is told."""

ASKED = 0.45
"""Chance from which on a node is told where all that are asked for are."""


def candidates(task: ClarificationTask, told: Iterable[str]) -> tuple[str, ...]:
    """Return the nodes that may be told, in the order the recorded provider tries them."""
    due = (node.node for node in releasable(task, told) if node.node != ROOT)
    return tuple(sorted(due, key=place))


def place(node: str) -> tuple[tuple[int, str], ...]:
    """Return a key that puts 2 before 10 and 1.1 after 1."""
    return tuple((int(part), "") if part.isdecimal() else (0, part) for part in node.split("."))


def the_one(chances: Sequence[float], silent: float = SILENT) -> int | None:
    """Return the place of the node that is likeliest told first, or None for none."""
    passed, best, chosen = 1.0, -1.0, None
    for at, chance in enumerate(chances):
        if passed * chance > best:
            best, chosen = passed * chance, at
        passed *= 1 - chance
    return None if passed >= silent else chosen


def all_asked(chances: Sequence[float], asked: float = ASKED) -> tuple[int, ...]:
    """Return the places of all nodes that are asked for."""
    return tuple(at for at, chance in enumerate(chances) if chance >= asked)
