"""Numbers as people write them: digits with or without thousands marks, dollars, `k`, words."""

from __future__ import annotations

from random import Random

from ...dialogs.language.numbers import in_words


def said_number(value: float, random: Random, *, words: bool = False) -> str:
    """Return a number that is not negative as somebody may write it; never another number."""
    if value != int(value):
        return f"{value:.2f}"
    whole = int(value)
    if words and whole < 100 and random.random() < 0.3:
        return in_words(whole)
    if whole >= 1_000 and whole % 1_000 == 0 and random.random() < 0.5:
        return f"{whole // 1_000}k"
    if whole >= 1_000:
        return random.choice((f"{whole:,}", f"${whole:,}", str(whole)))
    return str(whole)
