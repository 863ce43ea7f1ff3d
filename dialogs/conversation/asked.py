"""What a question is about."""

from __future__ import annotations

from dataclasses import dataclass

from ..extraction.extracted import Extraction


@dataclass(frozen=True)
class Asked:
    """What asks: its text, what was found in it, and the columns it names."""

    text: str
    extraction: Extraction
    columns: tuple[str, ...]
