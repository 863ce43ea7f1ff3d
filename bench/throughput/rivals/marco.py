"""MARCO: lists all conflicts and repairs by a solver that only decides subsets.

Liffiton, Previti, Malik and Marques-Silva 2016, "Fast, flexible MUS enumeration". A map of
unexplored subsets proposes a subset, an oracle decides it; a satisfiable subset is grown to an
MSS, an infeasible one shrunk to a MUS, and what that settles is blocked in the map.
"""

from __future__ import annotations

import time
from typing import Protocol

from ..comparison import TimedOut


class Oracle(Protocol):
    """Decides whether some row meets a subset of the constraints."""

    def satisfiable(self, subset: frozenset[int]) -> bool:
        """Return whether some row meets every constraint of the subset."""
        ...

    def met(self) -> frozenset[int]:
        """Return what the row found last meets."""
        ...

    def core(self) -> frozenset[int]:
        """Return an infeasible part of the subset refused last."""
        ...


class Map(Protocol):
    """Knows which subsets are not settled yet."""

    def propose(self) -> frozenset[int] | None:
        """Return an unsettled subset, large ones first; None when all are settled."""
        ...

    def settle(self, members: frozenset[int], *, inside: bool) -> None:
        """Settle every subset that has all of these, or else every one that has none."""
        ...


Sets = tuple[set[frozenset[int]], set[frozenset[int]]]


def enumerate_all(width: int, oracle: Oracle, unsettled: Map, seconds: float) -> Sets:
    """Return all conflicts and all repairs; raise `TimedOut` after so many seconds."""
    everything = frozenset(range(width))
    conflicts: set[frozenset[int]] = set()
    repairs: set[frozenset[int]] = set()
    end = time.monotonic() + seconds
    while (subset := unsettled.propose()) is not None:
        if time.monotonic() > end:
            raise TimedOut(f"did not end in {seconds:g} s")
        if oracle.satisfiable(subset):
            dropped = everything - _grown(oracle, everything)
            repairs.add(dropped)
            unsettled.settle(dropped, inside=False)
        else:
            conflict = _shrunk(oracle)
            conflicts.add(conflict)
            unsettled.settle(conflict, inside=True)
    return conflicts, repairs


def _grown(oracle: Oracle, everything: frozenset[int]) -> frozenset[int]:
    """Return the MSS around what the row found last meets."""
    subset = oracle.met()
    for other in sorted(everything - subset):
        if other not in subset and oracle.satisfiable(subset | {other}):
            subset |= oracle.met()
    return subset


def _shrunk(oracle: Oracle) -> frozenset[int]:
    """Return a MUS inside the subset refused last."""
    conflict = oracle.core()
    for member in sorted(conflict):
        if member in conflict and not oracle.satisfiable(conflict - {member}):
            conflict = oracle.core()
    return conflict
