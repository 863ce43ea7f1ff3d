"""One person's weights: the most probable tastes given the prior, and how sure they are.

A few Newton steps over the person's own choices, with the shared prior held fixed. A taste's
posterior is normal; the weight is the mean of taste / (2 · scale) held within 0 and 1, and the
confidence, calibrated, the probability that the true weight is within `NEAR` of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import erf, exp, pi, sqrt

import numpy as np

from ....catalogs.query.constraint import NEUTRAL_WEIGHT
from ..given import UNINFORMED
from ..weighter import NEAR
from .choices import CLICK, Choice
from .logit import Floats, chances, newton_step, position_terms, slopes, stacked
from .population import Population

UNSCALED = 0.1
"""Standard deviation of a weight because nobody says what taste 0.5 stands for."""

LEAST_SURE, SURER = 0.37, 0.45
"""Confidence is the first, and the second times the posterior's mass near the weight: how often
weights of simulated people were near. The posterior does not know how wrong its prior is."""

STEPS = 8
DRAWS = 64
"""Tastes over which the probabilities of a choice are averaged."""

MOST_NAMED = 5
LEAST_MOVE = 0.01
"""An event that moved a weight by less is not named for it."""


@dataclass(frozen=True)
class Judged:
    """A feature's weight, its confidence, and the events that moved it, the strongest first."""

    weight: float = NEUTRAL_WEIGHT
    confidence: float = UNINFORMED
    because: tuple[str, ...] = ()


@dataclass(frozen=True)
class Person:
    """Tastes float64[features], their covariance, and float64[choices, features] of moves."""

    names: tuple[str, ...]
    population: Population
    tastes: Floats
    covariance: Floats
    moves: Floats
    events: tuple[str, ...]

    def judged(self, name: str) -> Judged:
        """Return what a feature weighs for the person."""
        if not self.events:
            return Judged()
        scale = 2 * self.population.scale
        if name in self.names:
            at = self.names.index(name)
            middle, spread = self.tastes[at], sqrt(self.covariance[at, at])
        else:
            means, variances = self.population.prior([name])
            middle, spread = means[0], sqrt(variances[0])
        mean, apart = middle / scale, spread / scale
        weight = clipped_mean(mean, apart)
        sure = mass_near(mean, sqrt(apart**2 + UNSCALED**2), weight)
        return Judged(weight, LEAST_SURE + SURER * sure, self._because(name))

    def _because(self, name: str) -> tuple[str, ...]:
        """Return the events that moved a weight most from what is usual."""
        if name not in self.names:
            return ()
        moves: dict[str, float] = {}
        shifts = self.moves[:, self.names.index(name)] / (2 * self.population.scale)
        for event, shift in zip(self.events, shifts.tolist(), strict=True):
            moves[event] = moves.get(event, 0.0) + shift
        strong = [event for event in moves if abs(moves[event]) >= LEAST_MOVE]
        return tuple(sorted(strong, key=lambda event: (-abs(moves[event]), event))[:MOST_NAMED])

    def choice(self, names: Sequence[str], rows: Floats, positions: Sequence[int]) -> list[float]:
        """Return the probability that each item shown is clicked first.

        Averaged over what the person's tastes may be.
        """
        if not len(rows):
            return []
        means, variances = self.population.prior(names)
        covariance = np.diag(variances)
        own = [(at, self.names.index(name)) for at, name in enumerate(names) if name in self.names]
        if own:
            here, there = np.array(own).T
            means[here] = self.tastes[there]
            covariance[np.ix_(here, here)] = self.covariance[np.ix_(there, there)]
        effects = self.population.effects
        drawn = means + normal_draws(len(names)) @ np.linalg.cholesky(covariance).T
        places = position_terms(np.array(positions, dtype=np.int64)) @ effects.positions[CLICK]
        logits = drawn @ rows.T + places
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return (powers / powers.sum(axis=1, keepdims=True)).mean(axis=0).tolist()


def fit_person(choices: Sequence[Choice], population: Population) -> Person:
    """Return a person's tastes; those of the prior where there are no choices."""
    names = tuple(sorted({name for choice in choices for name in choice.names}))
    mean, variance = population.prior(names)
    if not choices or not names:
        return Person(names, population, mean, np.diag(variance), np.zeros((0, len(names))), ())
    places = {name: at for at, name in enumerate(names)}
    stack = stacked([choices], places, population.half_life)
    tastes, prior, effects = mean[None], (mean, variance), population.effects
    covariance = np.diag(variance)[None]
    for _ in range(STEPS):
        before = tastes
        tastes, covariance = newton_step(stack, tastes, prior, effects)
        if np.abs(tastes - before).max() < 1e-6:
            break
    gradient, _ = slopes(stack, chances(stack, mean[None], effects), effects)
    # What a choice is about: others move only through it.
    about = np.ptp(stack.rows, axis=1) > 0
    moves: Floats = np.where(about, gradient @ covariance[0], 0.0)
    events = tuple(choice.event for choice in choices)
    return Person(names, population, tastes[0], covariance[0], moves, events)


def clipped_mean(mean: float, spread: float) -> float:
    """Return the mean of a normal variable that is held within 0 and 1."""
    low, high = -mean / spread, (1 - mean) / spread
    inside = _below(high) - _below(low)
    value = mean * inside - spread * (_density(high) - _density(low)) + (1 - _below(high))
    return min(1.0, max(0.0, value))


def mass_near(mean: float, spread: float, weight: float) -> float:
    """Return the probability that the variable, held within 0 and 1, is within `NEAR`."""
    high = 1.0 if weight + NEAR >= 1 else _below((weight + NEAR - mean) / spread)
    low = 0.0 if weight - NEAR <= 0 else _below((weight - NEAR - mean) / spread)
    return min(1.0, max(0.0, high - low))


def _below(value: float) -> float:
    return (1 + erf(value / sqrt(2))) / 2


def _density(value: float) -> float:
    return exp(-value * value / 2) / sqrt(2 * pi)


@cache
def normal_draws(features: int) -> Floats:
    """Return float64[DRAWS, features], the same each time, of mean 0."""
    half = np.random.default_rng(7).standard_normal((DRAWS // 2, features))
    return np.concatenate([half, -half])
