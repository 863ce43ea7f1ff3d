"""Text under construction: pieces that carry marks, woven into one text with a mark a character.

A mark is a number that says whose words these are; 0 for nobody's. Noise works on the woven
text, so the spans of marks are exact whatever was added, dropped or swapped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

Piece = tuple[str, int]
Pieces = list[Piece]

_SLOT = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")


def plain(text: str) -> Pieces:
    """Return a text that is nobody's words."""
    return [(text, 0)]


def fill(template: str, slots: dict[str, str | Pieces], random: Random) -> Pieces:
    """Return a template with its choices made and its slots filled."""
    while choice := _CHOICE.search(template):
        chosen = random.choice(choice[1].split("|"))
        template = template[: choice.start()] + chosen + template[choice.end() :]
    pieces: Pieces = []
    end = 0
    for slot in _SLOT.finditer(template):
        pieces += plain(template[end : slot.start()])
        value = slots[slot[1]]
        pieces += plain(value) if isinstance(value, str) else value
        end = slot.end()
    return [*pieces, *plain(template[end:])]


def joined(parts: Sequence[Pieces], separator: str) -> Pieces:
    """Return pieces with a separator between the parts."""
    pieces: Pieces = []
    for number, part in enumerate(parts):
        pieces += [*(plain(separator) if number else []), *part]
    return pieces


def text_of(pieces: Pieces) -> str:
    """Return the words of pieces."""
    return "".join(text for text, _ in pieces)


@dataclass(slots=True)
class Woven:
    """A text and the mark of each of its characters."""

    text: str
    marks: list[int]

    @classmethod
    def of(cls, pieces: Pieces) -> Woven:
        """Return the pieces as one text."""
        marks = [mark for text, mark in pieces for _ in text]
        return cls(text_of(pieces), marks)

    def replace(self, pattern: str, new: str | Callable[[re.Match[str]], str]) -> None:
        """Replace what a pattern matches; what is new takes the mark of what begins the match."""
        text, marks = "", list[int]()
        end = 0
        for match in re.finditer(pattern, self.text):
            put = match.expand(new) if isinstance(new, str) else new(match)
            text += self.text[end : match.start()] + put
            marks += self.marks[end : match.start()]
            marks += self._marks_for(match.start(), match.end(), len(put))
            end = match.end()
        self.text, self.marks = text + self.text[end:], marks + self.marks[end:]

    def _marks_for(self, start: int, end: int, length: int) -> list[int]:
        if end - start == length:
            return self.marks[start:end]
        mark = self.marks[start] if start < len(self.marks) else 0
        return [mark] * length

    def span(self, mark: int) -> tuple[int, int] | None:
        """Return where a mark's words stand, blanks at the ends left out; None where nowhere."""
        places = [at for at, found in enumerate(self.marks) if found == mark]
        places = [at for at in places if self.text[at] not in " \n,.;"]
        return (places[0], places[-1] + 1) if places else None
