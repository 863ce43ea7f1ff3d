"""What several titles begin with: `Guitar` of `Guitar Tuesdays` and `Guitar for beginners`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

FEWEST = 3
"""Titles that are told by what they begin with; two are told whole."""


def common_beginning(values: Sequence[object]) -> str:
    """Return the words that several texts begin with; empty for few, and where one is no more."""
    texts = [value.split() for value in values if isinstance(value, str)]
    if len(texts) < FEWEST or len(texts) < len(values):
        return ""
    words = takewhile(lambda same: len({*same}) == 1, zip(*texts, strict=False))
    shared = [word for word, *_ in words]
    return " ".join(shared) if len(shared) < min(map(len, texts)) else ""
