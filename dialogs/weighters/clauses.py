"""Split a message into clauses, each with the constraints it names and its cues of importance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from ...catalogs.query.constraint import Constraint
from ..language.tokens import Piece, clauses, sentences
from ..transcripts.transcript import Span
from .cues import Cue, cues, ratings, unbounded, words_of
from .naming import Naming, answering, namings

_SEAM = re.compile(
    r"\s*[,;:]\s+(?:and\s+|or\s+|but\s+|then\s+)?|\s+[–—-]+\s+|\s*—\s*|\s+&\s+"
    r"|\s+(?=(?:and|but|while|plus|then|also|with)\s)"
    r"|\s+(?=or\s(?!(?:more|less|later|newer|older|better|above|below|fewer|higher|lower|under"
    r"|over|cheaper|up|so|larger|bigger|smaller|longer|shorter|earlier|lighter)\b))",
    re.IGNORECASE,
)
_RUN_ON = re.compile(
    r"\s+(?=(?:i|i['’]\w+|im|id|we|my|it|it['’]s|there['’]s|then|as for|regarding)\s)",
    re.IGNORECASE,
)
"""Where a thought begins in text without punctuation."""
ORDINALS = {
    "first": 0.7,
    "firstly": 0.7,
    "second": 0.35,
    "secondly": 0.35,
    "third": 0.1,
    "thirdly": 0.1,
    "last": -0.4,
    "lastly": -0.4,
    "finally": -0.2,
}
"""Strengths of the words that count wishes off, for the wish that each of them opens."""

_TURN = re.compile(
    r"(?:but|though|although|while|whereas|however|yet|except|only|even if|even though)\b",
    re.IGNORECASE,
)


_CONDITION = re.compile(
    r"\s+(?=(?:if|as long as|so long as|provided|assuming|on condition)\s)", re.IGNORECASE
)
_WITH = re.compile(r"with\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|no|without|never)\b|n['’]t\b", re.IGNORECASE)


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
    replies: tuple[Cue, ...] = ()

    @property
    def span(self) -> Span:
        """The clause as evidence."""
        return Span(self.message, self.start, self.end, self.text)

    @cached_property
    def constraints(self) -> tuple[int, ...]:
        """The numbers of the constraints named here, in order of first mention."""
        return tuple(dict.fromkeys(naming.constraint for naming in self.names))

    @cached_property
    def words(self) -> list[str]:
        """The clause's folded words."""
        return words_of(self.text)

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """The cues in the clause, outside the names themselves."""
        words = words_of(_blanked(self))
        rank = ORDINALS.get(words[0], 0.0) if len(words) > 1 else 0.0
        counted = (Cue(0, 1, words[0], rank, negated=False),) if rank else ()
        return (*counted, *self.replies, *ratings(self.text), *_agreeing(cues(words)))


EMPHASIS = ("more than any", "above all", "above any", "above every", "over any", "before any")


def _agreeing(clause_cues: Sequence[Cue]) -> Iterator[Cue]:
    """Yield the cues, "more than anything" with the sign of what it emphasises."""
    gives = any(cue.strength < -0.15 for cue in clause_cues)
    for cue in clause_cues:
        turned = gives and cue.strength > 0 and cue.phrase.startswith(EMPHASIS)
        yield replace(cue, strength=-cue.strength) if turned else cue


def read_clauses(
    text: str,
    message: int,
    constraints: Sequence[Constraint],
    asked: frozenset[int] = frozenset(),
) -> list[Clause]:
    """Return the clauses of one message, cut wherever another constraint is taken up.

    `asked`: what the message answers about; only what is clearly named beside it counts.
    """
    named = answering(namings(text, constraints), asked)
    opened = [piece.start for piece in sentences(text)]
    message_clauses: list[Clause] = []
    sentence = next_name = 0
    for piece in clauses(text):
        while sentence + 1 < len(opened) and opened[sentence + 1] <= piece.start:
            sentence += 1
        mine: list[Naming] = []
        while next_name < len(named) and named[next_name].start < piece.end:
            mine.append(named[next_name])
            next_name += 1
        for part in _parts(piece, mine):
            names = tuple(naming for naming in mine if part.start <= naming.start < part.end)
            turns = bool(_TURN.match(part.text))
            message_clauses.append(
                Clause(message, part.start, part.end, part.text, sentence, names, turns)
            )
    return message_clauses


def _blanked(clause: Clause) -> str:
    """Return the text with values taken out, so that no name reads as a cue."""
    text = unbounded(clause.text)
    for naming in reversed(clause.names):
        start, end = max(0, naming.start - clause.start), max(0, naming.end - clause.start)
        text = text[:start] + " \u25a1 " + text[end:]
    return text


def _parts(piece: Piece, names: Sequence[Naming]) -> Iterator[Piece]:
    """Yield the piece cut between names of different constraints, and after the last one."""
    cuts = sorted(_cuts(piece, names))
    starts = [piece.start, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), piece.end]
    for start, end in zip(starts, ends, strict=True):
        body = piece.text[start - piece.start : end - piece.start]
        if any(character.isalnum() for character in body):
            yield from _concession(Piece(start, end, body), names)


def _concession(piece: Piece, names: Sequence[Naming]) -> Iterator[Piece]:
    """Yield a concession and its condition, which names what must hold, as two pieces.

    `I can bend there if it has a balcony`: what bends was named before, not the balcony.
    """
    first = next(
        (naming.start for naming in names if piece.start <= naming.start < piece.end), None
    )
    before = "" if first is None else piece.text[: first - piece.start]
    condition = _CONDITION.search(before)
    if condition is None or _NEGATED.search(before, condition.end()):
        yield piece
        return
    conceded = before[: condition.start()]
    if any(cue.strength < -0.15 for cue in cues(words_of(conceded))):
        yield Piece(piece.start, piece.start + condition.start(), conceded)
        yield Piece(piece.start + condition.end(), piece.end, piece.text[condition.end() :])
    else:
        yield piece


def _cuts(piece: Piece, names: Sequence[Naming]) -> Iterator[tuple[int, int]]:
    spans = [(naming.start, naming.end) for naming in names]
    named: set[int] = set()
    groups: list[tuple[int, int, set[int]]] = []
    for (start, end), naming in zip(spans, names, strict=True):
        if groups and start < groups[-1][1]:
            groups[-1][2].add(naming.constraint)
        else:
            groups.append((start, end, {naming.constraint}))
    for before, after in pairwise(groups):
        named |= before[2]
        if after[2] <= before[2]:
            continue
        gap = piece.text[before[1] - piece.start : after[0] - piece.start]
        seams = list(_SEAM.finditer(gap)) or list(_RUN_ON.finditer(gap))[-1:]
        if seams:
            seam = seams[-1] if len(seams) == 1 else _between(seams)
            yield before[1] + seam.start(), before[1] + seam.end()


def _between(seams: Sequence[re.Match[str]]) -> re.Match[str]:
    """Return the seam where the next constraint most likely begins: a mark before a word."""
    marks = [seam for seam in seams if re.search(r"[;:—–-]", seam[0])]
    if not marks and _WITH.match(seams[-1].string, seams[-1].end()):
        # `, ideally with a garden`: what stands before the `with` leads in.
        marks = [seam for seam in seams if "," in seam[0]]
    return (marks or seams)[-1]
