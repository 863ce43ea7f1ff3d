"""Draw supposed values of facts from their priors: for planning only, never for deciding.

Draws are stratified and depend on nothing but the slot and the sample's number.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any
from zlib import crc32

from ..keys import HIGHEST, Key, Slot, Value
from .conversation_state import ConversationState
from .program import Program

STRATA = 8
"""A power of two: an odd step through them meets each once."""

GOLDEN = 0.6180339887498949
"""Its multiples fill [0, 1) evenly."""


def draw(state: ConversationState, slot: Slot, sample: int) -> Value:
    """Return the value supposed for a slot in a sample; the same in every process.

    Each run of `STRATA` samples has one from each stratum of the prior, in an order of the
    slot's own, so that what is as likely as not is drawn as often as not.
    """
    key = state.keys.key(slot.key)
    turn, seed = sample // STRATA, crc32(str(slot).encode())
    stratum = (sample * (2 * (seed % 4) + 1) + (seed >> 2)) % STRATA
    place = (stratum + (seed / 2**32 + turn * GOLDEN) % 1.0) / STRATA
    rows = key.prior or _prior(key, tuple(state.programs))
    sums = list(accumulate(float(row[-1]) for row in rows))
    index = min(bisect_right(sums, place * sums[-1]), len(rows) - 1)
    if key.kind in ("bool", "choice"):
        return rows[index][0]
    low, high, weight = rows[index]
    inside = (place * sums[-1] - (sums[index] - weight)) / weight if weight else 0.0
    value = min(max(low + (high - low) * inside, key.low), key.high)
    return round(value) if key.kind == "int" else float(value)


@lru_cache(maxsize=4_096)
def _prior(key: Key, programs: tuple[Program, ...]) -> tuple[tuple[Any, ...], ...]:
    """Return a prior for a key that has none: even, and for numbers around what is compared."""
    if key.kind == "bool":
        return ((True, 0.0, 0.5), (False, 0.0, 0.5))
    if key.kind == "choice":
        return tuple((value, 0.0, 1.0) for value in key.values)
    limits = sorted({limit for program in programs for limit in _limits(program, key.name)})
    if not limits:
        return ((key.low, min(key.high, key.low + 100), 1.0),)
    ends = [key.low, *limits, min(key.high, limits[-1] * 2 + 1, HIGHEST)]
    return tuple((low, high, 1.0) for low, high in pairwise(ends) if low <= high)


@lru_cache(maxsize=16_384)
def _limits(program: Program, key: str) -> tuple[float, ...]:
    """Return the numbers that stand in the comparisons a key takes part in."""
    lines = set(program.checked.key_lines.get(key, ()))
    limits: list[float] = []
    for node in ast.walk(program.checked.tree):
        if isinstance(node, ast.Compare) and node.lineno in lines:
            limits.extend(_numbers(list(ast.walk(node))))
    return tuple(limits)


def _numbers(nodes: Sequence[ast.AST]) -> list[float]:
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return [
        float(value)
        for value in values
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]
