"""What the sentences of a turn do, and what is said of each thing they name, heard by an encoder.

Behind the end of what was said before, the language encoder reads a turn once. Linear units over
each sentence give the chance of each act, and over each word piece that of each role: wished,
asked about, dropped, taken. Some 10 ms a turn of 20 words. Fitted by
`bench/understanding/train_turns.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..extraction.network import softmax
from ..extraction.phrasing import beginning
from ..language.encoder import LONGEST, PARTS, Encoder, embeddings, layers_from

Floats = NDArray[np.float32]
Span = tuple[int, int]

FILE = Path(__file__).with_name("turns.npz")

NOTHING = "nothing"
"""The role of words that name nothing."""

GAP = 2
"""How far pieces of one role may be from each other to be one run."""


@dataclass(frozen=True)
class HeardTurn:
    """What was heard: for each sentence the chance of each act, for pieces that of each role.

    `pieces` are characters of the turn, ascending; `chances` is float32[pieces, roles]. What was
    too long to be read has neither.
    """

    acts: Sequence[dict[str, float]]
    pieces: Sequence[Span]
    chances: Floats
    roles: Sequence[str]

    def role_of(self, span: Span) -> dict[str, float]:
        """Return the chance of each role of some characters; none of what was not read."""
        inside = [at for at, (a, b) in enumerate(self.pieces) if a < span[1] and span[0] < b]
        if not inside:
            return {}
        return dict(zip(self.roles, map(float, self.chances[inside].mean(axis=0)), strict=True))

    def spans(self, role: str) -> list[Span]:
        """Return the runs of characters that have a role, in order; one piece apart is one run."""
        at_role = self.roles.index(role)
        found: list[Span] = []
        last = -GAP - 1
        for at in np.flatnonzero(self.chances.argmax(axis=1) == at_role).tolist():
            start, end = self.pieces[at]
            if at - last <= GAP:
                found[-1] = (found[-1][0], end)
            else:
                found.append((start, end))
            last = at
        return found


@dataclass(frozen=True)
class TurnEncoder:
    """The encoder and its units: float32[1 + 3 width, acts] and float32[1 + 2 width, roles].

    A unit's first row is its bias. An act is read from the whole's state, the mean and the greatest
    of a sentence's; a role from a piece's state and the whole's.
    """

    encoder: Encoder
    acts: Floats
    roles: Floats
    act_names: Sequence[str]
    role_names: Sequence[str]

    def hear(self, text: str, before: str, sentences: Sequence[Span]) -> HeardTurn:
        """Return what is heard in a turn of these sentences, said after `before`."""
        pieces = self.encoder.embeddings.pieces
        begin = beginning(before, pieces)
        room = LONGEST + 1 - len(begin)
        cut = list(islice(pieces.cut(text), PARTS * LONGEST))
        acts: list[dict[str, float]] = [{} for _ in sentences]
        spans: list[Span] = []
        chances: list[Floats] = []
        for group in _groups(sentences, cut, room):
            places = [at for numbers in group.values() for at in numbers]
            numbers = [*begin, *(cut[at][0] for at in places), pieces.end]
            states = self.encoder.states(numbers)
            whole = states[0]
            own = states[len(begin) : len(begin) + len(places)]
            start = 0
            for sentence, within in group.items():
                part = own[start : start + len(within)]
                start += len(within)
                told = np.concatenate([whole, part.mean(axis=0), part.max(axis=0)])
                odds = told @ self.acts[1:] + self.acts[0]
                acts[sentence] = dict(zip(self.act_names, map(float, _chance(odds)), strict=True))
            beside = np.broadcast_to(whole, own.shape)
            told = np.concatenate([own, beside], axis=1) @ self.roles[1:] + self.roles[0]
            spans += [cut[at][1:] for at in places]
            chances.append(softmax(told))
        none = np.zeros((0, len(self.role_names)), np.float32)
        return HeardTurn(acts, spans, np.concatenate([none, *chances]), self.role_names)


def _groups(
    sentences: Sequence[Span], cut: Sequence[tuple[int, int, int]], room: int
) -> list[dict[int, list[int]]]:
    """Return the pieces of sentences, as many sentences together as are read at once."""
    groups: list[dict[int, list[int]]] = [{}]
    held = 0
    for at, (start, end) in enumerate(sentences):
        inside = [k for k, (_, a, _) in enumerate(cut) if start <= a < end][:room]
        if held and held + len(inside) > room:
            groups.append({})
            held = 0
        if inside:
            groups[-1][at] = inside
            held += len(inside)
    return [group for group in groups if group][:PARTS]


def _chance(odds: Floats) -> Floats:
    return (1 / (1 + np.exp(-odds))).astype(np.float32)


@cache
def shipped() -> TurnEncoder:
    """Return what ships with the package, read once."""
    return load(FILE)


def load(file: Path) -> TurnEncoder:
    """Read the weights that training wrote."""
    with np.load(file, allow_pickle=False) as stored:
        return TurnEncoder(
            layers_from(stored, embeddings()),
            stored["unit.acts"].astype(np.float32),
            stored["unit.roles"].astype(np.float32),
            str(stored["acts"]).split(","),
            str(stored["roles"]).split(","),
        )
