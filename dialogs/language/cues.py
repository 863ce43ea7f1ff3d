"""Cues: words that say how what stands near them is meant, `steer clear of`, `at most`, `ideally`.

Their classes let a decision that was learned with some words hold for others of the class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from .tokens import tokens

LONGEST = 6
"""Words of a cue."""


@cache
def _classes() -> dict[tuple[str, ...], list[str]]:
    found: dict[tuple[str, ...], list[str]] = {}
    lines = Path(__file__).with_name("cues.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for line in lines:
        name, phrases = line.split("\t")
        for phrase in phrases.split("|"):
            found.setdefault(tuple(word.folded for word in tokens(phrase)), []).append(name)
    return found


def cues(words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield first and last word and class of every cue, at each place the longest."""
    known, place = _classes(), 0
    while place < len(words):
        for length in range(min(LONGEST, len(words) - place), 0, -1):
            classes = known.get(tuple(words[place : place + length]))
            if classes:
                yield from ((place, place + length - 1, name) for name in classes)
                place += length - 1
                break
        place += 1
