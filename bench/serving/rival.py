"""What a shop would write otherwise: FastAPI over DuckDB, some statements a question.

It answers the same questions with the same parts: which sets of wishes some item meets, by a count
for each of them, the conflicts, the cheapest sets to drop with a row that bears witness, the first
items that are left, the rows that come closest, and how far each bound alone would have to move.
What it leaves out is bounds moved together, sentences and SQL. `lean` leaves out more: it counts,
drops and lists items, in two statements. Nothing is kept between questions but the ranges of
columns. Run by `serve_rival(path)`, which prints its port.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from .replica import superset_sums
from .synthetic_items import CODED, COLUMNS, KEY

Values = list[Any]
Sums = np.ndarray[Any, Any]
Row = dict[str, Any]
Ranges = dict[str, tuple[float, float]]
"""The least and the greatest value of each column of numbers."""
UNWEIGHED = 0.5


class Wish(BaseModel):
    """One condition; a weight says how much it matters."""

    column: str
    op: str
    value: Any
    weight: float | None = None


class Asked(BaseModel):
    """A question as the service takes it, but for WHERE texts."""

    base: tuple[Wish, ...] = ()
    constraints: list[Wish]
    top: int = 5


def rival_app(path: str, *, lean: bool = False) -> FastAPI:
    """Return the service over a Parquet file that is read into DuckDB's memory."""
    connection = duckdb.connect(":memory:", config={"threads": 1})
    # On a slow machine it would stand where the port is read.
    connection.execute("SET enable_progress_bar = false")
    connection.execute("CREATE TABLE items AS SELECT * FROM read_parquet(?)", [path])
    ranges = _ranges(connection)
    app = FastAPI()

    @app.post("/v1/repair")
    def repair(asked: Asked) -> dict[str, Any]:
        answering = Answering(connection.cursor(), asked, ranges)
        return answering.lean() if lean else answering.answer()

    return app


def _ranges(connection: duckdb.DuckDBPyConnection) -> Ranges:
    names = [name for name in COLUMNS if name not in CODED]
    ends = ", ".join(f"min({name}), max({name})" for name in names)
    found = connection.execute(f"SELECT {ends} FROM items").fetchall()[0]
    return {name: (found[2 * place], found[2 * place + 1]) for place, name in enumerate(names)}


class Answering:
    """One question."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, asked: Asked, ranges: Ranges) -> None:
        self.cursor, self.asked, self.ranges = cursor, asked, ranges
        self.wishes = asked.constraints
        self.bits = range(len(self.wishes))
        self.weights = [UNWEIGHED if each.weight is None else each.weight for each in self.wishes]
        self.base, self.bound = _all_of(asked.base)

    def answer(self) -> dict[str, Any]:
        """Return what gives way and what to offer instead."""
        sums, witnesses = self._counted()
        full = len(sums) - 1
        met = int(sums[full])
        repairs = [] if met else self._repairs(sums)[: self.asked.top]
        kept: Sequence[int] = self.bits if met else repairs[0]["kept"] if repairs else ()
        rows = self._by_key([_witness(repair["kept"], witnesses) for repair in repairs])
        drop_one = [int(sums[full & ~(1 << bit)]) for bit in self.bits]
        return {
            "count": int(sums[sum(1 << bit for bit in kept)]) if kept or not full else 0,
            "conflicts": [] if met else _conflicts(sums),
            "drop_one_counts": drop_one,
            "repairs": [
                repair | {"witness": row} for repair, row in zip(repairs, rows, strict=True)
            ],
            "items": self._items(kept) if met or repairs else [],
            "shifts": [] if met else self._shifts(drop_one),
            "near_misses": [] if met else self._nearest(),
        }

    def lean(self) -> dict[str, Any]:
        """Return what gives way, by counts, and the first items that are left."""
        sums, _ = self._counted()
        repairs = self._repairs(sums)
        kept: list[int] = repairs[0]["kept"] if repairs else []
        condition, values = _all_of([*self.asked.base, *(self.wishes[bit] for bit in kept)])
        query = f"SELECT * FROM items WHERE {condition} ORDER BY price LIMIT {self.asked.top}"
        items = self._rows(query, values)
        return {"count": int(sums[-1]), "repairs": repairs[: self.asked.top], "items": items}

    def _counted(self) -> tuple[Sums, dict[int, int]]:
        """Return how many items meet each set of wishes, and an item for each exact set."""
        parts: list[str] = []
        values: Values = []
        for place, wish in enumerate(self.wishes):
            condition, more = _condition(wish)
            parts.append(f"CASE WHEN {condition} THEN {1 << place} ELSE 0 END::UTINYINT")
            values += more
        counted = self.cursor.execute(
            f"SELECT {' | '.join(parts)} AS word, count(*), any_value({KEY}) FROM items "
            f"WHERE {self.base} GROUP BY word",
            [*values, *self.bound],
        ).fetchall()
        tallied = np.zeros(1 << len(self.wishes), dtype=np.int64)
        for word, count, _ in counted:
            tallied[word] = count
        return superset_sums(tallied), {word: key for word, _, key in counted}

    def _repairs(self, sums: Sums) -> list[dict[str, Any]]:
        """Return the largest sets of wishes that some item meets, the cheapest to keep first."""
        some = {int(word) for word in np.flatnonzero(sums)}
        largest = [
            word
            for word in some
            if not any(word | 1 << bit in some for bit in self.bits if not word >> bit & 1)
        ]
        repairs = [
            {
                "kept": [bit for bit in self.bits if word >> bit & 1],
                "dropped": [bit for bit in self.bits if not word >> bit & 1],
                "cost": sum(self.weights[bit] for bit in self.bits if not word >> bit & 1),
                "count": int(sums[word]),
            }
            for word in largest
        ]
        return sorted(repairs, key=lambda repair: (repair["cost"], -repair["count"]))

    def _items(self, kept: Sequence[int]) -> list[Row]:
        """Return the items that meet what is kept, nearest to the rest first."""
        condition, values = _all_of([*self.asked.base, *(self.wishes[bit] for bit in kept)])
        violation, more = self._violation([bit for bit in self.bits if bit not in kept])
        order = f"ORDER BY {f'{violation}, ' * bool(more)}price LIMIT {self.asked.top}"
        return self._rows(f"SELECT * FROM items WHERE {condition} {order}", [*values, *more])

    def _nearest(self) -> list[Row]:
        """Return the items of the base that come closest."""
        violation, values = self._violation(self.bits)
        return self._rows(
            f"SELECT *, {violation} AS violation FROM items WHERE {self.base} "
            f"ORDER BY violation LIMIT {self.asked.top}",
            [*values, *self.bound],
        )

    def _shifts(self, drop_one: Sequence[int]) -> list[Row]:
        """Return, for each bound that helps alone, the item it has to move the least for."""
        shifts: list[Row] = []
        for bit, wish in enumerate(self.wishes):
            if wish.op in ("<=", ">=") and drop_one[bit]:
                others = [each for place, each in enumerate(self.wishes) if place != bit]
                condition, values = _all_of([*self.asked.base, *others])
                order = f"{wish.column} {'DESC' if wish.op == '>=' else 'ASC'} NULLS LAST"
                query = f"SELECT * FROM items WHERE {condition} ORDER BY {order} LIMIT 1"
                row = self._rows(query, values)[0]
                if row[wish.column] is not None:
                    shifts.append({"position": bit, "to": row[wish.column], "witness": row})
        return shifts

    def _violation(self, bits: Sequence[int]) -> tuple[str, Values]:
        """Return weight × distance over some wishes, in SQL: a bound's over its column's range."""
        terms: list[str] = []
        values: Values = []
        for bit in bits:
            wish, weight = self.wishes[bit], self.weights[bit]
            condition, more = _condition(wish)
            distance = "1"
            if wish.op in ("<=", ">="):
                low, high = self.ranges[wish.column]
                distance = f"coalesce(abs({wish.column} - {wish.value}) / {high - low}, 1)"
            terms.append(f"CASE WHEN {condition} THEN 0 ELSE {weight} * {distance} END")
            values += more
        return " + ".join(terms) or "0", values

    def _by_key(self, keys: Sequence[int]) -> list[Row]:
        if not keys:
            return []
        listed = ", ".join("?" * len(keys))
        rows = self._rows(f"SELECT * FROM items WHERE {KEY} IN ({listed})", list(keys))
        by_key = {row[KEY]: row for row in rows}
        return [by_key[key] for key in keys]

    def _rows(self, query: str, values: Values) -> list[Row]:
        found = self.cursor.execute(query, values)
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _witness(kept: Sequence[int], witnesses: dict[int, int]) -> int:
    """Return an item that meets what is kept."""
    word = sum(1 << bit for bit in kept)
    return next(key for each, key in witnesses.items() if each & word == word)


def _conflicts(sums: Sums) -> list[list[int]]:
    """Return the smallest sets of wishes that no item meets together."""
    bits = range(len(sums).bit_length() - 1)
    none = [
        mask
        for mask in range(1, len(sums))
        if not sums[mask] and all(sums[mask & ~(1 << bit)] for bit in bits if mask >> bit & 1)
    ]
    return [[bit for bit in bits if mask >> bit & 1] for mask in none]


def _all_of(wishes: Sequence[Wish]) -> tuple[str, Values]:
    conditions = [_condition(wish) for wish in wishes]
    text = " AND ".join(condition for condition, _ in conditions) or "true"
    return text, [value for _, values in conditions for value in values]


def _condition(wish: Wish) -> tuple[str, Values]:
    column = f'"{wish.column}"'
    if wish.op == "in":
        return f"{column} IN ({', '.join('?' * len(wish.value))})", list(wish.value)
    if wish.op == "between":
        return f"{column} BETWEEN ? AND ?", list(wish.value)
    return f"{column} {'=' if wish.op == '==' else wish.op} ?", [wish.value]


def serve_rival(path: str, *, lean: bool = False) -> None:
    """Serve on a free port of this machine, printed as `concede serve` prints its own."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = rival_app(path, lean=lean)
    print(f"serving shop at http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(app, log_level="error", access_log=False)
    uvicorn.Server(config).run([listener])
