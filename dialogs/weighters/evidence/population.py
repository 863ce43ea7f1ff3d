"""What everybody's log says before anything is known of a person: a hierarchical prior.

Tastes of a feature are spread normally over people. Mean and spread, the effects of kinds of
event and of positions are fitted by expectation-maximization with Laplace's approximation. It
reads the whole log, so it runs beside requests, never in one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from .choices import Choice
from .logit import Effects, Floats, Stack, newton_step, per_owner, refitted_effects, stacked

ROUNDS = 40
MOST_CHOICES = 20_000
"""The newest choices that the prior is learned from; more change little."""

USUAL_TASTE, USUAL_SPREAD = 1.0, 0.6
"""A met constraint's utility, in the noise of a choice, and its variance over people."""

FEATURE_SPREAD = 0.3
"""Variance of the features' means about that of all."""

LAPLACE = 1.25
"""By how much the variance over people is more than what Laplace's approximation finds of it,
measured on simulated people."""

WORTH = 8.0
"""As many people's worth is the usual spread."""


@dataclass(frozen=True)
class Population:
    """The prior: by feature its mean and variance over people, and the effects all share.

    `scale` is the mean taste over all features, which a weight of 0.5 stands for.
    """

    means: Mapping[str, float] = field(default_factory=dict[str, float])
    variances: Mapping[str, float] = field(default_factory=dict[str, float])
    scale: float = USUAL_TASTE
    spread: float = USUAL_SPREAD
    effects: Effects = field(default_factory=Effects.start)
    people: int = 0

    def prior(self, names: Sequence[str]) -> tuple[Floats, Floats]:
        """Return mean and variance of each feature's taste; the usual ones of an unknown one."""
        unknown = self.spread + FEATURE_SPREAD * self.scale**2
        means = np.array([self.means.get(name, self.scale) for name in names])
        return means, np.array([self.variances.get(name, unknown) for name in names])


def fit(log: Mapping[str, Sequence[Choice]]) -> Population:
    """Return the prior that people's choices speak for; the usual one for none."""
    people = _newest(log)
    names = sorted({name for choices in people for choice in choices for name in choice.names})
    if not names:
        return Population()
    stack = stacked(people, {name: at for at, name in enumerate(names)})
    moved = _spoken_for(stack, len(people))
    uses = moved.sum(axis=0)
    effects, scale, spread = Effects.start(), USUAL_TASTE, USUAL_SPREAD
    mean, variance = np.full(len(names), scale), np.full(len(names), spread)
    tastes, covariance = np.tile(mean, (len(people), 1)), np.diag(variance)[None]
    for _ in range(ROUNDS):
        for _ in range(2):
            tastes, covariance = newton_step(stack, tastes, (mean, variance), effects)
        effects = refitted_effects(stack, tastes, effects)
        own = np.einsum("ukk->uk", covariance)
        between = FEATURE_SPREAD * scale**2
        held = variance / between
        mean = ((moved * tastes).sum(axis=0) + held * scale) / (uses + held)
        squares = (moved * ((tastes - mean) ** 2 + own)).sum(axis=0)
        spread = (squares.sum() + WORTH * USUAL_SPREAD * scale**2) / (uses.sum() + WORTH)
        variance = (squares + WORTH * spread) / (uses + WORTH)
        scale = float((uses @ mean + 3 * USUAL_TASTE) / (uses.sum() + 3))
        scale = max(scale, 0.05)
    return Population(
        dict(zip(names, mean.tolist(), strict=True)),
        dict(zip(names, (LAPLACE * variance).tolist(), strict=True)),
        scale,
        LAPLACE * float(spread),
        effects,
        len(people),
    )


def _newest(log: Mapping[str, Sequence[Choice]]) -> list[list[Choice]]:
    """Return the newest choices, by person, in an order that does not hang on the log's."""
    times = sorted((choice.time for choices in log.values() for choice in choices), reverse=True)
    since = times[MOST_CHOICES - 1] if len(times) >= MOST_CHOICES else -np.inf
    kept = [[choice for choice in log[user] if choice.time >= since] for user in sorted(log)]
    return [choices for choices in kept if choices]


def _spoken_for(stack: Stack, people: int) -> Floats:
    """Return float64[people, features]: 1 where a person's choices say something of a feature."""
    spread = (np.ptp(stack.rows, axis=1) > 0).astype(np.float64)
    return (per_owner(spread, stack.owners, people) > 0).astype(np.float64)
