"""Oracle weights as AWARE-US draws them."""

from __future__ import annotations

import random
from collections.abc import Sequence

EVEN = (0.2, 1.0)
"""Section 2.4: each weight uniform between these, then all divided by their sum."""

SMALL, LARGE = (0.01, 0.14), (0.35, 1.0)
"""Where one repair is unique (Algorithm 2, AssignWeightsWithUniqueLowest) the paper names no
ranges. In the 41 published S1 instances the unique repair has 0.0053 to 0.0785 of the sum, 0.036
on average, and the others 0.166 to 0.523, the heaviest at most 2.55 times the lightest of the
three. Weights drawn from these ranges and divided by their sum are like that."""


def drawn_weights(size: int, unique: int | None, dice: random.Random) -> list[float]:
    """Return `size` weights that sum to 1; the one at `unique`, if any, is the lowest by far."""
    ranges = [EVEN] * size
    if unique is not None:
        ranges = [SMALL if position == unique else LARGE for position in range(size)]
    return normalised([dice.uniform(*one) for one in ranges])


def normalised(weights: Sequence[float]) -> list[float]:
    """Return the weights divided by their sum."""
    total = sum(weights)
    return [one / total for one in weights]
