"""The question whose answer changes a choice most: expected value of information.

A choice of rows is worth the sum of the wishes it meets. With the wishes that are known, and
those that are not at what they are expected to be, one row is best now. A question is worth how
much better the best row would be once the answer is known, on average over its answers
(Howard, "Information value theory", 1966).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Utilities = np.ndarray[Any, np.dtype[np.float64]]
"""One float64 a row: what choosing it is worth."""


@dataclass(frozen=True)
class OpenWish:
    """A wish nobody said yet.

    `chances`: how likely each answer is, float64 (answers,), in sum 1; `met`: how much of the
    wish each row meets for each answer, float64 (answers, rows); `worth`: what meeting it
    adds.
    """

    chances: Utilities
    met: Utilities
    worth: float

    @property
    def expected(self) -> Utilities:
        """What each row is expected to get from this wish, while nobody knows the answer."""
        return self.worth * (self.chances @ self.met)


@dataclass(frozen=True)
class Gains:
    """What answers are expected to add to the best row.

    `all`: what knowing every open wish would add; `each`: what one question would, by wish:
    the better of asking it alone now and of adding it to all the others, since a question may
    change nothing by itself and much with another.
    """

    all: float
    each: Mapping[str, float]


SAMPLES = 200
"""Persons drawn to tell what knowing everything is worth."""


def gains(known: Utilities, wishes: Mapping[str, OpenWish], seed: int = 0) -> Gains:
    """Return what the answers to open wishes are expected to add to the best row.

    `known`: what each row gets from the wishes that are known. The same seed draws the same
    persons. O(wishes · (answers + samples) · rows).
    """
    if not len(known) or not wishes:
        return Gains(0.0, dict.fromkeys(wishes, 0.0))
    now = known + expected(wishes.values(), len(known))
    best = float(now.max())
    random = np.random.default_rng(seed)
    told = {name: _drawn(wish, random) for name, wish in wishes.items()}
    every = known + sum(told.values())
    informed = float(every.max(axis=1).mean())
    each: dict[str, float] = {}
    for name, wish in wishes.items():
        others = now - wish.expected
        after = [(others + wish.worth * met).max() for met in wish.met]
        first = float(wish.chances @ np.array(after)) - best
        without = (every - told[name] + wish.expected).argmax(axis=1)
        last = informed - float(every[np.arange(SAMPLES), without].mean())
        each[name] = max(0.0, first, last)
    return Gains(max(0.0, informed - best), each)


def _drawn(wish: OpenWish, random: np.random.Generator) -> Utilities:
    """Return what each row gets from a wish for each drawn person, (samples, rows)."""
    answers = random.choice(len(wish.chances), SAMPLES, p=wish.chances / wish.chances.sum())
    return wish.worth * wish.met[answers]


def expected(wishes: Iterable[OpenWish], rows: int) -> Utilities:
    """Return what each of `rows` rows is expected to get from all wishes that are open."""
    total = np.zeros(rows)
    for wish in wishes:
        total += wish.expected
    return total
