"""Estimates the nearest-row search radius from a sample of violations.

A radius is a violation: rows beyond it are not measured. One that lets in too few rows is
lengthened and tried again; the last is infinite.
"""

from __future__ import annotations

import math

from ...catalogs.vectors.array_types import Floats

SPARE = 4
"""A radius read off the sample is to let in this many times the rows asked for."""

UNSURE = 16
"""The same for a radius below every row of the sample."""

GUESSES = 5
LONGER = 2
"""A radius that let in too few rows is multiplied by this and tried again."""

WORTHWHILE = 3
"""A radius is tried before a longer one that is known to do if that is so many times as long."""

TAIL = 32
"""How many of the sample's least violations tell how fast their number grows."""


def search_radii(known: Floats, sample: Floats, share: float, top: int) -> list[float]:
    """Return violations to look within, one after another; infinite is the last.

    known: violations of some rows, ascending; where there are `top` of them, as many rows lie
    within the last of those. sample: violations of a part `share` of all rows, ascending. From
    these shorter radii are guessed and tried first: rows within a radius cost time each.
    """
    end = float(known[top - 1]) if len(known) >= top else math.inf
    expected = SPARE * top * share
    guess = _guess(sample, expected if expected >= 1 else UNSURE * top * share)
    guesses = [guess * LONGER**times for times in range(GUESSES)] if 0 < guess < end else [guess]
    shorter = [radius for radius in guesses if radius * WORTHWHILE < end]
    return [*shorter, *dict.fromkeys([end, math.inf])]


def _guess(sample: Floats, expected: float) -> float:
    """Return the violation that so many of the rows of the sample stay under; infinite for all.

    Below the least one the number of rows is taken to grow as a power of the violation, the
    power that fits the lower tail.
    """
    if len(sample) <= max(expected, 1):
        return math.inf
    if expected >= 1:
        return float(sample[int(expected)])
    least, tail = float(sample[0]), min(TAIL, len(sample) - 1)
    if least <= 0:
        return least
    growth = math.log(float(sample[tail]) / least) / math.log(tail + 1)
    return least * expected**growth
