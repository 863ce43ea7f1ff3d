"""Balanced sampling: an equal number of hits from every slice, as long as each has some left.

Slices that have more are searched again with a doubled limit until there are enough hits.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...solvers.enumeration.candidates import Hits
from ...solvers.enumeration.random_search import first_hit
from ...solvers.enumeration.search import SIZES, Sought, search
from .slices import Slice

Draw = Callable[[Slice, int], Hits]

MISSES = 32
"""First hits in a row that bring nothing new before a slice counts as exhausted."""


@dataclass
class SliceSample:
    """A slice and what was drawn from it, at most `limit` hits."""

    part: Slice
    hits: Hits
    limit: int

    @property
    def has_more(self) -> bool:
        """Whether the limit ended the drawing."""
        return len(self.hits) >= self.limit


def seed_of(*parts: object) -> int:
    """Return a seed for one purpose: the same for the same parts, under any hash seed."""
    return random.Random(" ".join(map(repr, parts))).getrandbits(63)


def base_key(part: Slice) -> str:
    """Return what tells a slice from the others."""
    return str([constraint.model_dump_json(exclude_unset=True) for constraint in part.base])


def complete_draw(sought: Sought, seed: int, max_tightness: int | None) -> Draw:
    """Return a draw from all hits of a slice: a uniform sample without replacement."""

    def draw(part: Slice, limit: int) -> Hits:
        own = seed_of(seed, "hits", base_key(part))
        hits = search(
            part.candidates,
            sought,
            order="random",
            seed=own,
            limit=limit,
            max_tightness=max_tightness,
        )
        return Hits.joined(hits, SIZES[sought])

    return draw


def first_hit_draw(sought: Sought, seed: int, max_tightness: int | None) -> Draw:
    """Return a draw of first hits of random searches, the published way; each set once."""

    def draw(part: Slice, limit: int) -> Hits:
        key, size = base_key(part), SIZES[sought]
        hits: dict[frozenset[int], Hits] = {}
        attempt = misses = 0
        while len(hits) < limit and misses < MISSES:
            hit = first_hit(part.candidates, sought, seed=seed_of(seed, "first", key, attempt))
            if hit is None:
                break
            attempt += 1
            members = frozenset(hit.members[0].tolist())
            loose = max_tightness is not None and int(hit.tightness[0]) > max_tightness
            misses = misses + 1 if loose or members in hits else 0
            if not misses:
                hits[members] = hit
        return Hits.joined(hits.values(), size)

    return draw


def balanced_samples(
    parts: Iterable[Slice], slices: int, draw: Draw, count: int
) -> list[SliceSample]:
    """Return slices with hits, `count` of them together if there are as many.

    `slices` is how many slices `parts` may give. Each is asked for an equal share first; those
    that have more make up for those that have fewer. Slices beyond `count` are not looked at.
    """
    share = -(-count // max(1, slices))
    samples: list[SliceSample] = []
    for part in parts:
        hits = draw(part, share)
        if len(hits):
            samples.append(SliceSample(part, hits, share))
        if len(samples) >= count:
            break
    while sum(len(sample.hits) for sample in samples) < count and any(
        sample.has_more for sample in samples
    ):
        share = min(2 * share, count)
        for sample in samples:
            if sample.has_more:
                sample.hits, sample.limit = draw(sample.part, share), share
    return samples


def round_robin(drawn: Sequence[SliceSample], count: int) -> Iterator[tuple[Slice, Hits]]:
    """Yield hits one by one, each with its slice: one of every slice, then the next of each."""
    left = count
    for place in range(max((len(sample.hits) for sample in drawn), default=0)):
        for sample in drawn:
            if left and place < len(sample.hits):
                yield sample.part, sample.hits.take(slice(place, place + 1))
                left -= 1
