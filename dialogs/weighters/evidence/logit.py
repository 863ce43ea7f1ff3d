"""Conditional logits in arrays: choices of many people side by side, and Newton's method on them.

A choice is padded to the widest; utilities are strength(kind) · features · taste + effect of the
position. Cost: O(choices · options · features²) a step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .choices import BUY, CLICK, DWELL, KINDS, PUT_BACK, Choice

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

POSITION_TERMS = 3
HALF_LIFE = 365 * 86_400.0
"""Seconds in which an event comes to count half, from the person's newest one back, until the log
says otherwise."""

START_STRENGTHS = np.array([1.0, 1.3, 0.6, 1.0])
"""Of a click, a buy, a long look, and a wish put back, until the log says otherwise."""


@dataclass(frozen=True)
class Stack:
    """Choices as arrays, sorted by owner: the picked option of each stands first.

    rows float64[choices, options, features]; is_option bool[choices, options]; position terms
    float64[choices, options, POSITION_TERMS]; kinds, owners int64[choices]; counts
    float64[choices], how much each counts.
    """

    rows: Floats
    is_option: NDArray[np.bool_]
    terms: Floats
    kinds: Integers
    owners: Integers
    counts: Floats

    @property
    def size(self) -> int:
        """How many choices there are."""
        return len(self.kinds)


@dataclass(frozen=True)
class Effects:
    """What everybody shares: float64[kinds] strengths, float64[kinds, POSITION_TERMS]."""

    strengths: Floats
    positions: Floats

    @classmethod
    def start(cls) -> Effects:
        """Return what holds while nothing is known."""
        return cls(START_STRENGTHS.copy(), np.zeros((len(KINDS), POSITION_TERMS)))


def position_terms(positions: Integers) -> Floats:
    """Return float64[…, POSITION_TERMS]: logarithm, line, first; zeros where there is no list."""
    at = np.maximum(positions, 0).astype(np.float64)
    terms = np.stack([-np.log2(1 + at), -at / 5, (positions == 0).astype(np.float64)], axis=-1)
    return np.where(positions[..., None] < 0, 0.0, terms)


def ages_count(times: Floats, half_life: float = HALF_LIFE) -> Floats:
    """Return how much events count, the newest 1."""
    return 0.5 ** ((times.max() - times) / half_life) if len(times) else times


def stacked(
    people: Sequence[Sequence[Choice]], places: Mapping[str, int], half_life: float = HALF_LIFE
) -> Stack:
    """Return the choices of people as arrays; `places` are the features' columns."""
    flat = [choice for choices in people for choice in choices]
    widest = max((len(choice.rows) for choice in flat), default=1)
    rows = np.zeros((len(flat), widest, len(places)))
    positions = np.full((len(flat), widest), -1, dtype=np.int64)
    is_option = np.zeros((len(flat), widest), dtype=np.bool_)
    for at, choice in enumerate(flat):
        count = len(choice.rows)
        rows[at, :count, [places[name] for name in choice.names]] = choice.rows.T
        positions[at, :count] = choice.positions
        is_option[at, :count] = True
    times = [np.array([choice.time for choice in choices]) for choices in people]
    counts = [ages_count(own, half_life) for own in times]
    return Stack(
        rows,
        is_option,
        position_terms(positions),
        np.array([choice.kind for choice in flat], dtype=np.int64),
        np.repeat(np.arange(len(people)), [len(choices) for choices in people]),
        np.concatenate([np.zeros(0), *counts]),
    )


def chances(stack: Stack, tastes: Floats, effects: Effects) -> Floats:
    """Return float64[choices, options], the probability of each, given tastes[owners, features]."""
    own = tastes[stack.owners] * effects.strengths[stack.kinds, None]
    logits = np.einsum("njk,nk->nj", stack.rows, own)
    logits += np.einsum("njb,nb->nj", stack.terms, effects.positions[stack.kinds])
    logits = np.where(stack.is_option, logits, -np.inf)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def slopes(stack: Stack, chance: Floats, effects: Effects) -> tuple[Floats, Floats]:
    """Return each choice's gradient [choices, features] and information [choices, features²]."""
    strength = effects.strengths[stack.kinds]
    expected = np.einsum("nj,njk->nk", chance, stack.rows)
    gradient = (stack.counts * strength)[:, None] * (stack.rows[:, 0] - expected)
    away = stack.rows - expected[:, None]
    information = np.matmul((away * chance[..., None]).transpose(0, 2, 1), away)
    return gradient, (stack.counts * strength**2)[:, None, None] * information


def per_owner(each: Floats, owners: Integers, people: int) -> Floats:
    """Return the sums over each person's choices, which stand together."""
    sums = np.zeros((people, *each.shape[1:]))
    if len(each):
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        sums[owners[starts]] = np.add.reduceat(each, starts, axis=0)
    return sums


def newton_step(
    stack: Stack, tastes: Floats, prior: tuple[Floats, Floats], effects: Effects
) -> tuple[Floats, Floats]:
    """Return tastes a step nearer to the most probable, and float64[people, features²] covariances.

    `prior` is mean and variance of each feature.
    """
    mean, variance = prior
    gradient, information = slopes(stack, chances(stack, tastes, effects), effects)
    people = len(tastes)
    pull = per_owner(gradient, stack.owners, people) - (tastes - mean) / variance
    precision = per_owner(information, stack.owners, people) + np.diag(1 / variance)
    covariance = np.linalg.inv(precision).astype(np.float64, copy=False)
    step = np.einsum("ukl,ul->uk", covariance, pull)
    longest = np.abs(step).max(axis=1, keepdims=True, initial=1.0)
    moved: Floats = tastes + step * np.minimum(1.0, 3.0 / longest)
    return moved, covariance


def refitted_effects(stack: Stack, tastes: Floats, effects: Effects) -> Effects:
    """Return strengths and position effects a Newton step nearer to the most probable.

    A click has strength 1: tastes are measured by it. Both are held near their start by a prior,
    so that kinds of event which are rare keep it.
    """
    kinds = len(KINDS)
    utility = np.einsum("njk,nk->nj", stack.rows, tastes[stack.owners])
    own = np.eye(kinds)[stack.kinds]
    each = np.concatenate([utility[..., None], stack.terms], axis=-1)
    wide = np.einsum("njb,nk->njkb", each, own).reshape(stack.size, utility.shape[1], -1)
    chance = chances(stack, tastes, effects)
    expected = np.einsum("nj,njf->nf", chance, wide)
    now = np.concatenate([effects.strengths[:, None], effects.positions], axis=1).ravel()
    start, variance = _effect_priors()
    gradient = np.einsum("n,nf->f", stack.counts, wide[:, 0] - expected)
    gradient -= (now - start) / variance
    away = wide - expected[:, None]
    flat = away.reshape(-1, away.shape[-1])
    shares = (stack.counts[:, None] * chance).reshape(-1, 1)
    information: Floats = np.matmul(flat.T, flat * shares)
    inverse = np.linalg.inv((information + np.diag(1 / variance)).astype(np.float64))
    rise: Floats = np.einsum("fg,g->f", inverse, gradient)
    moved = (now + np.clip(rise, -1.0, 1.0)).reshape(kinds, -1)
    return Effects(np.clip(moved[:, 0], 0.05, 5.0), moved[:, 1:])


def _effect_priors() -> tuple[Floats, Floats]:
    """Return mean and variance of strengths and position effects, kind by kind."""
    kinds = len(KINDS)
    start = np.zeros((kinds, 1 + POSITION_TERMS))
    start[:, 0] = START_STRENGTHS
    variance = np.full_like(start, 1.0)
    variance[:, 0] = 0.1
    variance[CLICK, 0] = 1e-12
    variance[PUT_BACK, 1:] = 1e-12
    start[[CLICK, BUY, DWELL], 1] = 0.3
    return start.ravel(), variance.ravel()
