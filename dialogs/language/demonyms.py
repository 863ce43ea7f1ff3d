"""Countries and what is called after them: `Japan` and `Japanese`, either way."""

from __future__ import annotations

from pathlib import Path


def _demonyms() -> dict[str, tuple[str, ...]]:
    table = Path(__file__).with_name("demonyms.txt").read_text(encoding="utf-8")
    groups = [line.split() for line in table.splitlines()]
    return {word: tuple(set(group) - {word}) for group in groups for word in group}


DEMONYMS = _demonyms()
"""Other words for a country or what is from there, folded, without plural endings or spaces."""
