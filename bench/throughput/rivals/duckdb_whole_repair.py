"""The whole answer of `RepairEngine.repair` in plain DuckDB and Python, written out as JSON.

What `duckdb_repair` leaves out comes on top: all conflicts, certificates, counts without each
constraint, shifts with their counts, what items and near misses meet and miss, domination. Row
masks are grouped once and read in Python; the front of shifts is found by NumPy over the distances
of its candidates, no farther than bounds that were moved alone. What does not depend on another
statement's result is prepared beforehand, its bounds included.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ....catalogs.catalog import Catalog
from ....catalogs.query.predicate import quoted
from ....catalogs.query.query import Query
from ....catalogs.sources.loading import TABLE
from .duckdb_histogram import mask_of
from .duckdb_repair import DuckDbRepair
from .row_masks import RowMasks

Found = dict[str, Any]
"""A repair, shift, item or near miss, as it is written."""

SAME_SCORE = 1e-9


class WholeDuckDbRepair(DuckDbRepair):
    """A query made ready: statements are prepared once, and `run` answers from the table."""

    def __init__(self, catalog: Catalog, query: Query, top: int, cursor: Any = None) -> None:
        super().__init__(catalog, query, top, cursor)
        self.width = len(self.conditions)
        self.weights = [constraint.importance for constraint in query.constraints]
        self.movable = [j for j, column in enumerate(self.columns) if column.family == "numeric"]
        statements = (self._masks(), self._alone(), self._write_near_misses())
        for part, sql in zip(("masks", "alone", "near"), statements, strict=True):
            self._cursor.execute(f"PREPARE whole_{part} AS {sql}")

    def run(self) -> Any:
        """Return the answer as `run` of `DuckDbRepair` does: its JSON object as text."""
        return json.dumps(self.answer(), ensure_ascii=False)

    def answer(self) -> Found:
        """Return the answer as a JSON object."""
        masks = RowMasks(self.full, self._prepared("masks").fetchall())
        repairs = masks.repairs(self.weights)[: self.top]
        satisfiable = masks.feasible(self.full)
        dropped = 0 if satisfiable or not repairs else repairs[0]
        items = self._best(dropped) if masks.rows else []
        shifts = [] if satisfiable else self._shifts(masks, repairs)
        near: list[Any] = [] if satisfiable else self._prepared("near").fetchall()
        ids = {masks.first(self.full & ~repair) for repair in repairs}
        ids |= {shift["witness"] for shift in shifts}
        ids |= {int(row[0]) for row in (*items, *near)}
        rows = self._measured(sorted(ids))
        for shift in shifts:
            shift["witness"] = rows[shift["witness"]][0]
        return {
            "satisfiable": satisfiable,
            "count": masks.count(self.full & ~dropped) if masks.rows else 0,
            "drop_one_counts": [masks.count(self.full & ~(1 << j)) for j in range(self.width)],
            "conflicts": masks.conflicts(),
            "repairs": [] if satisfiable else [self._dropping(masks, r, rows) for r in repairs],
            "shifts": shifts,
            "items": self._items(items, dropped, rows),
            "near_misses": [self._near_miss(row, rows) for row in near],
        }

    def _prepared(self, part: str) -> Any:
        return self._cursor.execute(f"EXECUTE whole_{part}")

    def _masks(self) -> str:
        mask = mask_of(self.conditions, "UINTEGER") or "0"
        return (
            f"SELECT {mask} AS mask, count(*) AS n, min({self.row_id}) AS first "
            f"FROM {TABLE} WHERE {self.base} GROUP BY mask"
        )

    def _with_ends(self, listed: str, where: str) -> str:
        ends = f"WITH ends AS MATERIALIZED ({self._ends()})"
        return f"{ends} SELECT {listed} FROM {TABLE}, ends WHERE {self.base} AND {where}"

    def _kept(self, mask: int) -> str:
        kept = [f"({condition})" for j, condition in enumerate(self.conditions) if mask >> j & 1]
        return " AND ".join(kept) or "TRUE"

    def _nearest(self, changed: int, inside: Sequence[int]) -> str:
        """Return SQL for the nearest row to some bounds, of those that meet all not changed."""
        costs = " + ".join(f"{self.weights[j]!r}::DOUBLE * {self._distance(j)}" for j in inside)
        sums = " + ".join(self._distance(j) for j in inside)
        unmet = f"NOT ({self._kept(_mask(inside))})"
        return (
            f"min(struct_pack(a := {costs}, b := {sums}, c := {self.row_id})) FILTER (WHERE "
            f"{self._kept(self.full & ~changed)} AND {unmet} AND {self._finite(inside)})"
        )

    def _finite(self, inside: Sequence[int]) -> str:
        finite = [
            f"(({self.conditions[j]}) OR isfinite({quoted(self.columns[j].name)}::DOUBLE))"
            for j in inside
        ]
        return f"coalesce({' AND '.join(finite) or 'TRUE'}, FALSE)"

    def _alone(self) -> str:
        nearest = [self._nearest(1 << j, [j]) for j in self.movable]
        return self._with_ends(", ".join(nearest) or "1", "TRUE")

    def _front(self, alone: dict[int, float]) -> str:
        """Return SQL for the rows that all movable bounds moved together may let in.

        None of the front lies farther from a bound than the nearest row of that bound alone.
        """
        listed = [f"{self._distance(j)} AS d{j}" for j in self.movable]
        fixed = self.full & ~_mask(self.movable)
        near = [f"{self._distance(j)} <= {far!r}::DOUBLE" for j, far in alone.items()]
        where = " AND ".join([self._kept(fixed), self._finite(self.movable), *near])
        return self._with_ends(", ".join([f"{self.row_id} AS id", *listed]), where)

    def _shifts(self, masks: RowMasks, repairs: Sequence[int]) -> list[Found]:
        """Return the cheapest shifts: positions and distances moved, drops, cost and count."""
        alone: dict[int, Any] = {}
        if self.movable:
            nearest = self._prepared("alone").fetchone()
            singles = zip(self.movable, nearest, strict=True)
            alone = {j: row for j, row in singles if row is not None}
        reached: list[tuple[int, Sequence[int], int]]
        reached = [(int(row["c"]), [j], 1 << j) for j, row in alone.items()]
        reached += self._beside_drops(repairs)
        moving = _mask(self.movable)
        if len(self.movable) > 1 and masks.count(self.full & ~moving):
            points = self._points({j: row["b"] for j, row in alone.items()})
            reached += [(place, self.movable, moving) for place in points]
        rows = self._measured(sorted({place for place, _, _ in reached}))
        distinct: dict[Any, tuple[Any, Found]] = {}
        for place, inside, changed in reached:
            shift = self._shift(place, inside, changed, rows)
            key = str([shift["moved"], shift["dropped"]])
            order = shift["cost"], len(shift["moved"]), place
            if key not in distinct or order < distinct[key][0]:
                distinct[key] = order, shift
        cheapest = sorted(distinct.values(), key=lambda pair: pair[0])[: self.top]
        return self._counted([shift for _, shift in cheapest])

    def _beside_drops(self, repairs: Sequence[int]) -> list[tuple[int, Sequence[int], int]]:
        """Return the nearest rows to the bounds of repairs that drop something else, too."""
        mixed = [
            (repair, inside)
            for repair in repairs
            if (inside := [j for j in self.movable if repair >> j & 1])
            and len(inside) < repair.bit_count()
        ]
        if not mixed:
            return []
        listed = ", ".join(self._nearest(repair, inside) for repair, inside in mixed)
        row = self._cursor.execute(self._with_ends(listed, "TRUE")).fetchone()
        pairs = zip(mixed, row, strict=True)
        return [
            (int(near["c"]), inside, repair) for (repair, inside), near in pairs if near is not None
        ]

    def _points(self, alone: dict[int, float]) -> list[int]:
        """Return the cheapest points of the Pareto front of distances, cheapest first."""
        columns = cast("dict[str, Any]", self._cursor.execute(self._front(alone)).fetchnumpy())
        ids = np.asarray(columns["id"])
        distances = np.stack([np.asarray(columns[f"d{j}"]) for j in self.movable])
        costs = np.zeros(len(ids))
        for j, distance in zip(self.movable, distances, strict=True):
            costs += self.weights[j] * distance
        left, points = np.lexsort((ids, distances.sum(axis=0), costs)), list[int]()
        while len(left) and len(points) < self.top and distances[:, left[0]].any():
            points.append(int(ids[left[0]]))
            left = left[(distances[:, left] < distances[:, left[0], None]).any(axis=0)]
        return points

    def _shift(
        self, place: int, inside: Sequence[int], changed: int, rows: dict[int, Any]
    ) -> Found:
        row, distances = rows[place]
        moved = [j for j in inside if distances[j]]
        dropped = [j for j in range(self.width) if changed >> j & 1 and j not in inside]
        cost = sum(distances[j] * self.weights[j] for j in moved)
        return {
            "moved": [[j, distances[j]] for j in moved],
            "to": [row[self.columns[j].name] for j in moved],
            "dropped": dropped,
            "cost": cost + sum(self.weights[j] for j in dropped),
            "witness": place,
        }

    def _counted(self, shifts: list[Found]) -> list[Found]:
        """Count the rows that each shift lets in, by one statement."""
        if not shifts:
            return shifts
        listed = ", ".join(f"count(*) FILTER (WHERE {self._let_in(shift)})" for shift in shifts)
        sql = f"SELECT {listed} FROM {TABLE} WHERE {self.base}"
        counts = self._cursor.execute(sql).fetchone()
        for shift, count in zip(shifts, counts, strict=True):
            shift["count"] = count
        return shifts

    def _let_in(self, shift: Found) -> str:
        conditions = list(self.conditions)
        moved = cast("list[tuple[int, float]]", shift["moved"])
        for (j, _), value in zip(moved, shift["to"], strict=True):
            op = f"{self.query.constraints[j].op[0]}="
            conditions[j] = f"{quoted(self.columns[j].name)} {op} {float(value)!r}::DOUBLE"
        kept = [conditions[j] for j in range(self.width) if j not in shift["dropped"]]
        return " AND ".join(kept) or "TRUE"

    def _best(self, dropped: int) -> list[Any]:
        """Return the best rows: id, score, satisfaction of each term, and whether undominated."""
        listed = ", ".join(f"{self._satisfaction(j)} AS s{j}" for j in range(self.width))
        kept = self._kept(self.full & ~dropped)
        listed = f"{self.row_id} AS id, {self._weighed(self._satisfaction)} AS score, {listed}"
        order = self._nearest_first(dropped)
        every = self._with_ends(listed, kept)
        best = self._cursor.execute(f"{every} ORDER BY {order} LIMIT {self.top}").fetchall()
        if not best:
            return []
        # Whatever dominates a row scores no less than it.
        floor = min(row[1] for row in best) - SAME_SCORE
        rivals = self._cursor.execute(f"SELECT * FROM ({every}) WHERE score >= {floor!r}::DOUBLE")
        others = np.array([row[2:] for row in rivals.fetchall()]).T[:, None, :]
        own = np.array([row[2:] for row in best]).T[:, :, None]
        none_less: NDArray[np.bool_] = np.all(others >= own, axis=0)
        above = none_less & np.any(others > own, axis=0)
        return [(*row, not above[place].any()) for place, row in enumerate(best)]

    def _measured(self, ids: Sequence[int]) -> dict[int, tuple[Found, list[float]]]:
        """Return rows by id, each with how far it is from meeting each constraint."""
        names = self.catalog.columns
        listed = [self.row_id, *map(quoted, names), *map(self._distance, range(self.width))]
        sql = self._with_ends(", ".join(listed), f"{self.row_id} IN (SELECT unnest(?::BIGINT[]))")
        found = self._cursor.execute(sql, [list(ids)]).fetchall()
        cells = len(names)
        return {
            int(row[0]): (dict(zip(names, row[1:], strict=False)), list(row[1 + cells :]))
            for row in found
        }

    def _dropping(self, masks: RowMasks, repair: int, rows: dict[int, Any]) -> Found:
        dropped = [j for j in range(self.width) if repair >> j & 1]
        kept = self.full & ~repair
        return {
            "dropped": dropped,
            "cost": sum(self.weights[j] for j in dropped),
            "count": masks.count(kept),
            "witness": rows[masks.first(kept)][0],
            "must_hit": [masks.shrunk(kept | 1 << j) for j in dropped],
        }

    def _items(self, best: Sequence[Any], dropped: int, rows: dict[int, Any]) -> list[Found]:
        items: list[Found] = []
        for row_id, score, *satisfaction, pareto in best:
            row, distances = rows[row_id]
            items.append(
                {
                    "row_id": row_id,
                    "row": row,
                    "score": score,
                    "meets": [j for j, distance in enumerate(distances) if not distance],
                    "misses": [j for j, distance in enumerate(distances) if distance],
                    "contributions": [
                        [self.columns[j].name, self.weights[j], share, self.weights[j] * share]
                        for j, share in enumerate(satisfaction)
                    ],
                    "pareto": bool(pareto),
                }
            )
        return items

    def _near_miss(self, near: Sequence[Any], rows: dict[int, Any]) -> Found:
        row_id, violation = int(near[0]), float(near[1])
        row, distances = rows[row_id]
        return {
            "row_id": row_id,
            "row": row,
            "violation": violation,
            "violates": [
                [j, row[self.columns[j].name], distance]
                for j, distance in enumerate(distances)
                if distance
            ],
        }


def _mask(positions: Iterable[int]) -> int:
    return sum(1 << position for position in positions)
