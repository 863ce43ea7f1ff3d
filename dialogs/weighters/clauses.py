"""A message in clauses, each with the constraints it names and the cues it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ...catalogs.constraint import Constraint
from ..text import Piece, clauses, sentences
from ..transcript import Span
from .cues import Cue, cues, words_of
from .naming import Naming, namings

_SEAM = re.compile(
    r"\s*[,;:]\s+(?:and\s+|or\s+|but\s+|then\s+)?|\s+[–—-]+\s+|\s*—\s*|\s+&\s+"
    r"|\s+(?=(?:and|or|but|while|plus|then|also|with)\s)",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s*[;:]\s+|\s+[–—-]{1,2}\s+|\s*,\s+(?=\S+\s+\S+)")
_TURN = re.compile(
    r"(?:but|though|although|while|whereas|however|yet|except|only|even if|even though)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clause:
    """Characters `start` to `end` (excluded) of a message, with what they name.

    `sentence` counts within the message; `turns` tells that a "but" opens the clause.
    """

    message: int
    start: int
    end: int
    text: str
    sentence: int
    names: tuple[Naming, ...]
    turns: bool

    @property
    def span(self) -> Span:
        """The clause as evidence."""
        return Span(self.message, self.start, self.end, self.text)

    @cached_property
    def constraints(self) -> tuple[int, ...]:
        """The numbers of the constraints named here, in order of first mention."""
        return tuple(dict.fromkeys(one.constraint for one in self.names))

    @cached_property
    def words(self) -> list[str]:
        """The clause's folded words."""
        return words_of(self.text)

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """The cues in the clause, outside the names themselves."""
        return cues(words_of(_blanked(self)))


def read(text: str, message: int, constraints: Sequence[Constraint]) -> list[Clause]:
    """Return the clauses of one message, cut wherever another constraint is taken up."""
    named = namings(text, constraints)
    opened = [one.start for one in sentences(text)]
    found: list[Clause] = []
    sentence = next_name = 0
    for piece in clauses(text):
        while sentence + 1 < len(opened) and opened[sentence + 1] <= piece.start:
            sentence += 1
        mine: list[Naming] = []
        while next_name < len(named) and named[next_name].start < piece.end:
            mine.append(named[next_name])
            next_name += 1
        for part in _parts(piece, mine):
            names = tuple(one for one in mine if part.start <= one.start < part.end)
            turns = bool(_TURN.match(part.text))
            found.append(Clause(message, part.start, part.end, part.text, sentence, names, turns))
    return found


def _blanked(clause: Clause) -> str:
    """Return the text with values taken out, so that no name reads as a cue."""
    text = clause.text
    for one in reversed(clause.names):
        start, end = max(0, one.start - clause.start), max(0, one.end - clause.start)
        text = text[:start] + " \u25a1 " + text[end:]
    return text


def _parts(piece: Piece, names: Sequence[Naming]) -> Iterator[Piece]:
    """Yield the piece cut between names of different constraints, and after the last one."""
    cuts = sorted(_cuts(piece, names))
    starts = [piece.start, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), piece.end]
    for start, end in zip(starts, ends, strict=True):
        body = piece.text[start - piece.start : end - piece.start]
        if any(one.isalnum() for one in body):
            yield Piece(start, end, body)


def _cuts(piece: Piece, names: Sequence[Naming]) -> Iterator[tuple[int, int]]:
    spans = [(one.start, one.end) for one in names]
    seen: set[int] = set()
    groups: list[tuple[int, int, set[int]]] = []
    for (start, end), one in zip(spans, names, strict=True):
        if groups and start < groups[-1][1]:
            groups[-1][2].add(one.constraint)
        else:
            groups.append((start, end, {one.constraint}))
    for before, after in pairwise(groups):
        seen |= before[2]
        if after[2] <= before[2]:
            continue
        gap = piece.text[before[1] - piece.start : after[0] - piece.start]
        seams = list(_SEAM.finditer(gap))
        if seams:
            seam = seams[-1] if len(seams) == 1 else _between(seams)
            yield before[1] + seam.start(), before[1] + seam.end()


def _between(seams: Sequence[re.Match[str]]) -> re.Match[str]:
    """Return the seam where the next constraint most likely begins: a mark before a word."""
    marks = [one for one in seams if re.search(r"[;:—–-]", one[0])]
    return (marks or seams)[-1]
