"""Vague wishes that bound nothing: `quiet if possible`, `ideally light`."""

from __future__ import annotations

from .judged import Judged

NEAR = 2
"""Words between a vague wish and what behind it says that it need not be met."""


def said_softly(item: Judged) -> bool:
    """Return whether words right beside a vague wish say that it need not be met.

    It then says alone what is better of two that are as good.
    """
    reading, first, last = item.reading, item.mention.first, item.mention.last
    soft = [(start, end) for start, end, name in reading.cues if name == "soft"]
    before = any(end + 1 == first for _, end in soft)
    behind = any(
        last < start <= last + 1 + NEAR and reading.clause_of[start] == reading.clause_of[last]
        for start, _ in soft
    )
    return before or behind
