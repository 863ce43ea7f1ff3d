"""How fast events age: the half-life by which people's earlier choices tell their later ones best.

Each person's newest choices are held out, and the earlier ones fitted with each half-life: what
nobody's taste has changed by is thrown away by a short one, and a long one holds on to what has.
Cost: a few Newton steps over the log for each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .choices import Choice
from .logit import HALF_LIFE, Effects, Floats, chances, newton_step, stacked

DAY = 86_400.0
HALF_LIVES = (30 * DAY, 90 * DAY, 180 * DAY, HALF_LIFE, 1_000 * DAY)

LEAST_CHOICES = 8
"""People with fewer say nothing of it."""

HELD_OUT = 3
"""One choice of so many, the newest, is held out."""

HELD_TO = 1.0
"""By how much, in natural logarithms of the likelihood, another must do better than `HALF_LIFE`."""

STEPS = 5


def best_half_life(
    people: Sequence[Sequence[Choice]],
    places: Mapping[str, int],
    prior: tuple[Floats, Floats],
    effects: Effects,
) -> float:
    """Return the half-life in seconds; `HALF_LIFE` where the log does not tell.

    `people` have their choices oldest first; `places` are the columns of the features.
    """
    telling = [choices for choices in people if len(choices) >= LEAST_CHOICES]
    if not telling:
        return HALF_LIFE
    since = [len(choices) - len(choices) // HELD_OUT for choices in telling]
    earlier = [choices[:at] for choices, at in zip(telling, since, strict=True)]
    later = stacked(
        [choices[at:] for choices, at in zip(telling, since, strict=True)], places, np.inf
    )

    def score(half_life: float) -> float:
        stack = stacked(earlier, places, half_life)
        tastes = np.tile(prior[0], (len(telling), 1))
        for _ in range(STEPS):
            tastes, _ = newton_step(stack, tastes, prior, effects)
        told = float(np.log(chances(later, tastes, effects)[:, 0]).sum())
        return told + HELD_TO * (half_life == HALF_LIFE)

    return max(HALF_LIVES, key=score)
