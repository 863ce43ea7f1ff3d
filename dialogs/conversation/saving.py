"""Where the events of a conversation go."""

from __future__ import annotations

from typing import Any, Protocol


class Saved(Protocol):
    """Where events go (`EpisodeWriter.write`)."""

    def __call__(self, kind: str, /, **fields: Any) -> None: ...


def unsaved(kind: str, /, **fields: Any) -> None:
    """Keep nothing."""
