"""Whether what was found in a turn is wished for, or only asked about, told or passed over.

Log-odds by the role of its words, by what its sentence does and by how sure the extractor is of it,
a sum of features with a weight each. The weights are fitted by
`bench/understanding/train_wished_parts.py` to what a chat model read in turns of strangers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path
from typing import Literal

import numpy as np

from .turn_encoder import NOTHING

Kind = Literal["constraint", "objective", "leaning"]

FILE = Path(__file__).with_name("wished_parts.npz")

LEAST_CHANCE = 0.01
"""Chances are told apart from here to as far below 1."""

ROLES = ("wish", "also", "keep")
"""Roles of what is wished for."""

REASON = "tell"
"""The role of a fact or a reason, which may be why something is wished for."""


ITEM_ACTS = ("affirm select", "note", "ask value", "ask compare")
"""Acts of who takes an item or asks about one."""


@dataclass(frozen=True, slots=True)
class FoundPart:
    """What was found by some words: of which kind, how surely, of a column that `names_items`.

    `about_items`: the turn does one of `ITEM_ACTS`.
    """

    kind: Kind
    score: float
    names_items: bool = False
    about_items: bool = False


@dataclass(frozen=True)
class WishedParts:
    """A weight for each feature."""

    weights: Mapping[str, float]

    def is_wished(
        self, part: FoundPart, roles: Mapping[str, float], acts: Mapping[str, float]
    ) -> bool:
        """Return whether a part is likely wished for.

        `roles`: the chance of each role of its words, none of those that were not read; `acts`:
        that of each act of its sentence.
        """
        return self.log_odds(part, roles, acts) >= 0

    def log_odds(
        self, part: FoundPart, roles: Mapping[str, float], acts: Mapping[str, float]
    ) -> float:
        """Return the log-odds that a part is wished for."""
        known = self.weights
        return sum(known.get(name, 0.0) * value for name, value in features(part, roles, acts))


def features(
    part: FoundPart, roles: Mapping[str, float], acts: Mapping[str, float]
) -> list[tuple[str, float]]:
    """Return the features of a part, by name, none twice."""
    wished = sum(roles.get(role, 0.0) for role in ROLES)
    said = roles.get(NOTHING, 0.0) + roles.get(REASON, 0.0)
    return [
        ("always", 1.0),
        ("sure", _logit(part.score)),
        (part.kind, 1.0),
        ("names items", float(part.names_items)),
        ("names an item asked about or taken", float(part.names_items and part.about_items)),
        *((f"role {role}", chance) for role, chance in roles.items()),
        ("likely wished", _logit(wished)),
        ("surely wished", part.score * roles.get("wish", 0.0)),
        ("a reason where wishes are stated", said * acts.get("inform", 0.0)),
        *((f"act {act}", chance) for act, chance in acts.items()),
    ]


def _logit(chance: float) -> float:
    chance = min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE)
    return log(chance / (1 - chance))


@cache
def shipped() -> WishedParts:
    """Return what ships with the package, read once."""
    return load(FILE)


def load(file: Path) -> WishedParts:
    """Read the weights that training wrote."""
    with np.load(file, allow_pickle=False) as stored:
        names = str(stored["names"]).split(",")
        return WishedParts(dict(zip(names, map(float, stored["weights"]), strict=True)))
