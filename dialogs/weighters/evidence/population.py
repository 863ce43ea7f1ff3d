"""What everybody's log says before anything is known of a person: a hierarchical prior.

Tastes of a feature are spread normally over people. Mean and spread, the effects of kinds of
event and of positions are fitted by expectation-maximization with Laplace's approximation. It
reads the whole log, so it runs beside requests, never in one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from .aging import best_half_life
from .choices import Choice
from .logit import (
    HALF_LIFE,
    Effects,
    Floats,
    Stack,
    newton_step,
    per_owner,
    refitted_effects,
    stacked,
)

ROUNDS, MORE_ROUNDS = 40, 10
"""Of the fit, and again with another half-life of events."""

MOST_CHOICES = 20_000
"""The newest choices that the prior is learned from; more change little."""

USUAL_TASTE, USUAL_SPREAD = 1.0, 0.25
"""A met constraint's utility, in the noise of a choice, and its variance over people, in squares
of the mean utility."""

FEATURE_SPREAD = 0.3
"""Variance of the features' means about that of all."""

LAPLACE = 1.6
"""By how much the variance over people is more than what Laplace's approximation finds of it,
measured on simulated people: discrete choices of few events each hide most of it."""

WORTH, WORTH_OF_ALL = 2.0, 30.0
"""As many people's worth is the usual spread for that of all features, and this for each one's."""


@dataclass(frozen=True)
class Population:
    """The prior: by feature its mean and variance over people, and the effects all share.

    `scale` is the mean taste over all features, which a weight of 0.5 stands for; `half_life`, in
    seconds, is how fast events age.
    """

    means: Mapping[str, float] = field(default_factory=dict[str, float])
    variances: Mapping[str, float] = field(default_factory=dict[str, float])
    scale: float = USUAL_TASTE
    spread: float = USUAL_SPREAD * USUAL_TASTE**2
    effects: Effects = field(default_factory=Effects.start)
    half_life: float = HALF_LIFE
    people: int = 0

    def prior(self, names: Sequence[str]) -> tuple[Floats, Floats]:
        """Return mean and variance of each feature's taste; the usual ones of an unknown one."""
        unknown = self.spread + FEATURE_SPREAD * self.scale**2
        means = np.array([self.means.get(name, self.scale) for name in names])
        return means, np.array([self.variances.get(name, unknown) for name in names])


@dataclass(frozen=True)
class _State:
    """What a round of the fit goes on from; arrays by feature, `tastes` by person and feature."""

    mean: Floats
    variance: Floats
    tastes: Floats
    effects: Effects
    scale: float = USUAL_TASTE
    spread: float = USUAL_SPREAD * USUAL_TASTE**2


def fit(log: Mapping[str, Sequence[Choice]]) -> Population:
    """Return the prior that people's choices speak for; the usual one for none."""
    people = _newest(log)
    names = sorted({name for choices in people for choice in choices for name in choice.names})
    if not names:
        return Population()
    places = {name: at for at, name in enumerate(names)}
    stack = stacked(people, places)
    mean = np.full(len(names), USUAL_TASTE)
    variance = np.full(len(names), USUAL_SPREAD * USUAL_TASTE**2)
    state = _State(mean, variance, np.tile(mean, (len(people), 1)), Effects.start())
    state = _rounds(stack, state, ROUNDS)
    prior = state.mean, LAPLACE * state.variance
    half_life = best_half_life(people, places, prior, state.effects)
    if half_life != HALF_LIFE:
        state = _rounds(stacked(people, places, half_life), state, MORE_ROUNDS)
    return Population(
        dict(zip(names, state.mean.tolist(), strict=True)),
        dict(zip(names, (LAPLACE * state.variance).tolist(), strict=True)),
        state.scale,
        LAPLACE * state.spread,
        state.effects,
        half_life,
        len(people),
    )


def _rounds(stack: Stack, state: _State, rounds: int) -> _State:
    """Return the state after so many rounds of expectation and maximization."""
    moved = _spoken_for(stack, len(state.tastes))
    for _ in range(rounds):
        state = _round(stack, state, moved)
    return state


def _round(stack: Stack, state: _State, moved: Floats) -> _State:
    tastes, covariance = state.tastes, np.zeros(0)
    for _ in range(2):
        tastes, covariance = newton_step(stack, tastes, (state.mean, state.variance), state.effects)
    effects = refitted_effects(stack, tastes, state.effects)
    uses, own = moved.sum(axis=0), np.einsum("ukk->uk", covariance)
    between = FEATURE_SPREAD * state.scale**2
    held = state.variance / between
    mean = ((moved * tastes).sum(axis=0) + held * state.scale) / (uses + held)
    squares = (moved * ((tastes - mean) ** 2 + own)).sum(axis=0)
    usual = USUAL_SPREAD * state.scale**2
    spread = float((squares.sum() + WORTH * usual) / (uses.sum() + WORTH))
    variance = (squares + WORTH_OF_ALL * spread) / (uses + WORTH_OF_ALL)
    scale = float((uses @ mean + 3 * USUAL_TASTE) / (uses.sum() + 3))
    return _State(mean, variance, tastes, effects, max(scale, 0.05), spread)


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
