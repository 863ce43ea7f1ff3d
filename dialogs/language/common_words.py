"""How common a word of English is, by its place in a list of the commonest."""

from __future__ import annotations

from math import log
from pathlib import Path


def _ranks() -> dict[str, int]:
    text = Path(__file__).with_name("common_words.txt").read_text(encoding="utf-8")
    words = text.split("\n", 1)[1].split()
    return {word: place for place, word in enumerate(words, start=1)}


RANKS = _ranks()
"""Place of a folded word among the commonest, from 1."""


def rarity(word: str) -> float:
    """Return how rare a folded word is: 0 for the commonest, 1 for one that is not listed."""
    return log(RANKS.get(word, len(RANKS) + 1)) / log(len(RANKS) + 1)
