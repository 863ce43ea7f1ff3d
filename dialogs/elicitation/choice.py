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


def gains(known: Utilities, wishes: Mapping[str, OpenWish]) -> dict[str, float]:
    """Return for each open wish how much its answer is expected to improve the best row.

    `known`: what each row gets from the wishes that are known. O(wishes · answers · rows).
    """
    if not len(known):
        return dict.fromkeys(wishes, 0.0)
    now = known + expected(wishes.values(), len(known))
    best = now.max()
    found: dict[str, float] = {}
    for name, wish in wishes.items():
        others = now - wish.expected
        after = [(others + wish.worth * met).max() for met in wish.met]
        found[name] = max(0.0, float(wish.chances @ np.array(after) - best))
    return found


def expected(wishes: Iterable[OpenWish], rows: int) -> Utilities:
    """Return what each of `rows` rows is expected to get from all wishes that are open."""
    total = np.zeros(rows)
    for wish in wishes:
        total += wish.expected
    return total
