"""The type of progress displays: a function that wraps a sequence and yields its items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

Counted = Callable[[Sequence[Any], str], Iterable[Any]]
"""Takes things and what is done with them, and yields the things."""


def uncounted(things: Sequence[Any], doing: str) -> Iterable[Any]:
    """Return the things as they are: no progress is shown."""
    return things
