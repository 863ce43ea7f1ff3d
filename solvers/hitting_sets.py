"""Minimal hitting sets of a family of sets: conflicts from repairs, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..catalogs.deadline import Deadline, DeadlinePassed
from .limits import Budget, StoppedBy


def minimal_hitting_sets(
    family: Sequence[int], budget: Budget
) -> tuple[list[int], StoppedBy | None]:
    """Return the minimal hitting sets of a family of bit masks, and what stopped the search.

    Those found are right even when stopped. A family without sets is hit by the empty set; a
    family with the empty set is hit by none. The order depends on the family alone.
    """
    hitting_sets: list[int] = []
    try:
        for chosen in _search(family, budget):
            budget.check()
            if chosen is None:
                continue
            if len(hitting_sets) >= budget.max_sets:
                return hitting_sets, "limit"
            hitting_sets.append(chosen)
    except DeadlinePassed:
        return hitting_sets, "deadline"
    return hitting_sets, None


def _search(family: Sequence[int], until: Deadline) -> Iterator[int | None]:
    """Yield each minimal hitting set once, and None at every other step taken.

    After MMCS (Murakami and Uno 2014, algorithm 2): depth first over partial sets in which
    every member is the only one to hit some set of the family. A set of sets is a Python
    integer, bit i standing for `sets[i]`; a step costs (members) · (candidates) operations on
    integers of one bit per set.
    """
    sets = sorted(set(family), key=lambda mask: (mask.bit_count(), mask))
    hit_by = _hit_by(sets, until)
    stack: list[tuple[int, int, int, list[int]]]
    # What is chosen, what may still join, the sets not hit, and the sets each member hits alone.
    stack = [(0, sum(hit_by), (1 << len(sets)) - 1, [])]
    while stack:
        chosen, allowed, unhit, alone = stack.pop()
        if not unhit:
            yield chosen
            continue
        yield None
        branch_on = sets[_lowest(unhit).bit_length() - 1]
        # A candidate is forbidden to the branches before its own: no set is found twice.
        open_after = allowed & ~branch_on
        for bit in _bits(branch_on & allowed):
            hit = hit_by[bit]
            still_alone = [hit_alone & ~hit for hit_alone in alone]
            if 0 not in still_alone:
                still_alone.append(unhit & hit)
                stack.append((chosen | bit, open_after, unhit & ~hit, still_alone))
            open_after |= bit


def _hit_by(sets: Sequence[int], until: Deadline) -> dict[int, int]:
    """Return for every element, as a one-bit mask, the sets that hold it."""
    every, octets = 0, -(-len(sets) // 8)
    for mask in sets:
        every |= mask
    hit_by: dict[int, int] = {}
    for bit in _bits(every):
        until.check()
        holding = np.fromiter((mask & bit != 0 for mask in sets), np.bool_, len(sets))
        packed = np.packbits(holding, bitorder="little")
        hit_by[bit] = int.from_bytes(packed.tobytes()[:octets], "little")
    return hit_by


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = _lowest(mask)
        yield low
        mask ^= low


def _lowest(mask: int) -> int:
    return mask & -mask
