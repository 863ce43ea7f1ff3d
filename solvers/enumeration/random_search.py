"""Random search for the first hit, as published: the generators of AWARE-US do it so.

The hits themselves are those of `enumeration`; only which one is found is left to the seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...catalogs.errors import QueryError
from .candidates import Candidates, Hits
from .search import Sought, batches, minimal_conflicts, tables

PAIR_ATTEMPTS = 2_000
"""Random pairs before the exhaustive fallback; the paper says only "many"."""


def first_hit(
    candidates: Candidates, sought: Sought, *, seed: int, attempts: int | None = None
) -> Hits | None:
    """Return one hit found at random, as `Hits` of one line, or None.

    "MUS-2" draws up to `attempts` (default 2,000) random pairs, then takes the first by
    position (AWARE-US, Algorithm 1, FindDropAnyOnePair). "MUS-4" (section 2.2) and
    "unique-repair" (Algorithm 2, FindOneFixQuad) shuffle the triples that some row meets and
    take the first that a fourth completes, with the lowest such fourth, which stands last;
    `attempts` bounds the triples looked at (default: all, so None then proves that there is
    none). The members of a "MUS-4" therefore need not ascend.

    Raises `QueryError` for "MUS-3", which is not published, and for fewer attempts than one.
    """
    if attempts is not None and attempts < 1:
        raise QueryError(f"attempts is {attempts}", hint="give at least 1")
    if sought == "MUS-2":
        return _first_pair(candidates, seed, attempts or PAIR_ATTEMPTS)
    if sought == "MUS-3":
        raise QueryError("no random search for MUS-3", hint="use minimal_conflicts with a seed")
    good = feasible_triples(candidates)
    shuffled = good[np.random.default_rng(seed).permutation(len(good))[:attempts]]
    return _first_quad(candidates, shuffled, sought)


def feasible_triples(candidates: Candidates) -> NDArray[np.int32]:
    """Return the triples of different columns that some row meets, int32[m, 3], by position."""
    from .kernels import triples

    count = len(candidates)
    place = np.array([0, 0, count, 0], dtype=np.int64)
    write = partial(triples, *tables(candidates, "unique-repair"), True, place)
    return Hits.joined(batches(write, lambda: place[0] < count, count, 3), 3).members


def _first_pair(candidates: Candidates, seed: int, attempts: int) -> Hits | None:
    for first, second in _drawn_pairs(len(candidates), seed, attempts):
        left, right = candidates.words[first], candidates.words[second]
        apart = candidates.columns[first] != candidates.columns[second]
        if apart and left.any() and right.any() and not (left & right).any():
            members = np.array([sorted((first, second))], dtype=np.int32)
            sizes = np.bitwise_count(candidates.words[members[0]]).sum(axis=1, dtype=np.int32)
            return Hits(members, sizes[None, ::-1])
    return next(minimal_conflicts(candidates, 2, limit=1), None)


def _drawn_pairs(count: int, seed: int, attempts: int) -> Iterator[tuple[int, int]]:
    """Yield random pairs of two different positions."""
    if count < 2:
        return
    random = np.random.default_rng(seed)
    for _ in range(attempts):
        first, step = int(random.integers(count)), int(random.integers(1, count))
        yield first, (first + step) % count


def _first_quad(candidates: Candidates, good: NDArray[np.int32], sought: Sought) -> Hits | None:
    from .kernels import first_quad

    members, counts = (np.empty((len(candidates), 4), dtype=np.int32) for _ in range(2))
    unique = sought == "unique-repair"
    written = first_quad(*tables(candidates, sought), unique, good, members, counts)
    return Hits(members[:1], counts[:1]) if written else None
