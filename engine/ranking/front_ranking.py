"""Finds the front of moved bounds by kernels, measuring only rows that nothing known dominates.

First among the rows within a violation, in longer and longer steps. Where that would take too many,
the points found, and the nearest row of each bound alone, say which rows are left: those nearer
than each of them to some bound, read from the indexes of all bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...catalogs.vectors.array_types import Floats, Ids
from ...solvers.masks import mask_of
from . import front_kernels
from .interface import Places
from .joined_pieces import as_groups
from .kernel_ranking import LOOKED_AT, KernelRanker

FEW_LEFT = 65_536
"""Radii with more rows than these are not tried."""

FEWER = 4
"""So many times the rows of the next radius may be left where all that are left are measured."""

BLOCKS = 8
"""Parts of the words that tell how many rows are left, of `LOOKED_AT` words each."""

SHORTEST, LONGEST = 1.25, 4.0
"""A radius with too few points is multiplied by this at least and at most, and tried again."""

SPARE = 1.25
"""The next radius is to have this many times the points asked for."""

CHUNK = 8_192
"""Rows measured together, before what they dominate among the next is left out: 1 ms at most."""


class FrontRanker(KernelRanker):
    """A `KernelRanker` that also finds fronts."""

    def front(self, movable: Sequence[int], top: int) -> Places:
        """See `RowRanker.front`."""
        inside, known = mask_of(movable), self._alone_rows(movable)
        radii = self._search_radii(top)
        radius = radii[0]
        while radius < math.inf:
            near = self._near(radius)
            points = self._points(near.places, near.distances, inside, top, radius)
            if len(points) == top or not near.complete:
                return points
            known = np.union1d(self._alone_rows(movable), points)
            radius = self._longer(radius, radii, len(points), top)
            if self._left(inside, known) <= FEWER * self._rows_within(radius):
                break
        return self._front_of_rest(inside, known, top)

    def _longer(self, radius: float, radii: Sequence[float], found: int, top: int) -> float:
        """Return the violation to look within after one that has too few points.

        As if their number grew with it; infinite where too many rows lie within, or all.
        """
        following = next(longer for longer in radii if longer > radius)
        if not found or radius <= 0 or not self._arguments.ranges:
            return following
        longer = radius * min(max(SPARE * top / found, SHORTEST), LONGEST)
        many = self._rows_within(longer) > FEW_LEFT or longer > sum(self.bound.weights)
        return math.inf if many else longer

    def _alone_rows(self, movable: Sequence[int]) -> Places:
        """Return the nearest row of each bound alone, by place."""
        places = {self._alone[position] for position in movable if position in self._alone}
        return np.array(sorted(places), dtype=np.intp)

    def _rows_within(self, radius: float) -> float:
        """Return how many rows lie within a violation, about."""
        sample, share = self._arguments.sample
        return int(np.searchsorted(sample, radius, side="right")) / share

    def _left(self, inside: int, known: Places) -> float:
        """Return how many rows have to be measured that none of the known dominates, about."""
        bitmaps, must = as_groups(self._nearer_than(known)), self.bound.full & ~inside
        step = max(LOOKED_AT, self._words // BLOCKS)
        starts = range(0, self._words, step)
        rows = [
            len(self._rows_between(start, min(start + LOOKED_AT, self._words), must, bitmaps))
            for start in starts
        ]
        return sum(rows) * step / LOOKED_AT

    def _front_of_rest(self, inside: int, known: Places, top: int) -> Places:
        """Return the front of the rows known and of those that none of them dominates.

        What a point found meanwhile dominates is on no front either, and left out at once.
        """
        must, bitmaps = self.bound.full & ~inside, as_groups(self._nearer_than(known))
        known_points = points = self.distances(known).T

        def read(start: int, stop: int) -> list[tuple[Places, Floats]]:
            nonlocal points
            rows = self._rows_between(start, stop, must, bitmaps)
            found = list[tuple[Places, Floats]]()
            for first in range(0, len(rows), CHUNK):
                if first and self.budget.expired:
                    self.stopped_by = "deadline"
                    break
                places, distances = self._undominated_among(
                    rows[first : first + CHUNK], inside, points
                )
                found.append((places, distances))
                best = self._points(places, distances, inside, top)
                points = np.concatenate([known_points, self.distances(best).T])
            return found

        pieces, _ = self._read(self._words, read)
        found = [(known, known_points.T), *[part for piece in pieces for part in piece]]
        places, once = np.unique(np.concatenate([rows for rows, _ in found]), return_index=True)
        distances = np.concatenate([distances for _, distances in found], axis=1)[:, once]
        return self._points(places, np.ascontiguousarray(distances), inside, top)

    def _nearer_than(self, known: Places) -> list[list[tuple[int, ...]]]:
        """Return a group of ranges for each row known: rows outside of one it dominates or equals.

        Of its equals the known row is the first.
        """
        ranges, groups = self._arguments.ranges, list[list[tuple[int, ...]]]()
        for place, distances in zip(known.tolist(), self.distances(known).T, strict=True):
            moved = np.flatnonzero(distances).tolist()
            if ranges.keys() >= set(moved):
                groups.append([ranges[position].nearer(place) for position in moved])
        return groups

    def _undominated_among(self, rows: Ids, inside: int, points: Floats) -> tuple[Places, Floats]:
        """Return the rows that may be on the front and no point dominates, and their distances."""
        places, distances = np.empty(len(rows), np.intp), np.empty((self.bound.width, len(rows)))
        count = front_kernels.keep_undominated(
            rows, self._stack, np.uint64(inside), self._arguments.bounds,
            np.ascontiguousarray(points), places, distances,
        )  # fmt: skip
        return places[:count], distances[:, :count].copy()

    def _points(
        self,
        places: Places,
        distances: Floats,
        inside: int,
        top: int,
        radius: float = np.inf,
    ) -> Places:
        """Return the `top` cheapest points of the front of some rows, up to a cost."""
        points = np.empty(top, dtype=np.intp)
        count = front_kernels.pareto_front(
            places, distances, np.uint64(inside), self._arguments.bounds, radius, points
        )
        return points[:count]
