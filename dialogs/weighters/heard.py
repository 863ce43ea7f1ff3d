"""What the language encoder hears in the words about a wish, as a number added to its score.

The clauses attributed to a wish are read as one text; one linear unit weighs the mean state of
its pieces. Unlike features of words it knows words that no training text had, and it counts
the less the more the cues say. Some 4 ms a wish.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .attribution import Reading
from .features import MAX_CLAUSES
from .lexical import score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..language.encoder import Encoder


OUTSPOKEN = 2.0
"""How much less is made of what is heard where cues speak: over 1 plus so much of their score.

Chosen on personas and shoppers of catalogs and things left out."""


@dataclass(frozen=True)
class Heard:
    """The encoder, and a linear unit over its mean states: float32[width + 1], the last a bias."""

    encoder: Encoder
    unit: NDArray[np.float32]

    def __call__(self, reading: Reading, number: int) -> float:
        """Return what the words about a wish add to its utility."""
        state = self.encoder.mean(said(reading, number))
        heard = float(self.unit[:-1] @ state + self.unit[-1])
        return heard / (1.0 + OUTSPOKEN * abs(score(reading, number)))


def said(reading: Reading, number: int) -> str:
    """Return the clauses about a wish as one text."""
    clauses = [evidence.clause for evidence in reading.evidence[number][:MAX_CLAUSES]]
    return " , ".join(clause.text for clause in clauses)


def heard_by(unit: NDArray[np.float32]) -> Heard:
    """Return a unit with the encoder that ships."""
    from ..language.encoder import shipped

    return Heard(shipped(), unit)
