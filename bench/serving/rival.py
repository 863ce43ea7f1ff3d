"""What a shop would write otherwise: FastAPI over DuckDB, an aggregation and a SELECT a question.

It answers the same questions: which sets of wishes some item meets, by a count for each of them,
the cheapest set of wishes to drop, and the first items that are left. Nothing is kept between
questions. Run by `serve_rival(path)`, which prints its port.
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

Values = list[Any]
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


def rival_app(path: str) -> FastAPI:
    """Return the service over a Parquet file that is read into DuckDB's memory."""
    connection = duckdb.connect(":memory:", config={"threads": 1})
    connection.execute("CREATE TABLE items AS SELECT * FROM read_parquet(?)", [path])
    app = FastAPI()

    @app.post("/v1/repair")
    def repair(asked: Asked) -> dict[str, Any]:
        return _repaired(connection.cursor(), asked)

    return app


def _repaired(cursor: duckdb.DuckDBPyConnection, asked: Asked) -> dict[str, Any]:
    base, bound = _all_of(asked.base)
    bits: list[str] = []
    values: Values = []
    for place, wish in enumerate(asked.constraints):
        condition, more = _condition(wish)
        bits.append(f"coalesce({condition}, false)::INT * {1 << place}")
        values += more
    counted = cursor.execute(
        f"SELECT {' + '.join(bits)} AS word, count(*) FROM items WHERE {base} GROUP BY word",
        [*values, *bound],
    ).fetchall()
    tallied = np.zeros(1 << len(asked.constraints), dtype=np.int64)
    for word, count in counted:
        tallied[word] = count
    sums = superset_sums(tallied)
    repairs = _repairs(sums, asked.constraints)
    kept: list[int] = repairs[0]["kept"] if repairs else []
    condition, bound = _all_of([*asked.base, *(asked.constraints[place] for place in kept)])
    found = cursor.execute(
        f"SELECT * FROM items WHERE {condition} ORDER BY price LIMIT {asked.top}", bound
    )
    names = [column[0] for column in found.description or ()]
    rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    return {"count": int(sums[-1]), "repairs": repairs[: asked.top], "items": rows}


def _repairs(sums: np.ndarray[Any, Any], wishes: Sequence[Wish]) -> list[dict[str, Any]]:
    """Return the largest sets of wishes that some item meets, the cheapest to keep first."""
    some = {int(word) for word in np.flatnonzero(sums)}
    bits = range(len(wishes))
    largest = [
        word
        for word in some
        if not any(word | 1 << bit in some for bit in bits if not word >> bit & 1)
    ]
    weights = [UNWEIGHED if wish.weight is None else wish.weight for wish in wishes]
    repairs = [
        {
            "kept": [bit for bit in bits if word >> bit & 1],
            "cost": sum(weights[bit] for bit in bits if not word >> bit & 1),
            "count": int(sums[word]),
        }
        for word in largest
    ]
    return sorted(repairs, key=lambda repair: (repair["cost"], -repair["count"]))


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


def serve_rival(path: str) -> None:
    """Serve on a free port of this machine, printed as `concede serve` prints its own."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = rival_app(path)
    print(f"serving shop at http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(app, log_level="error", access_log=False)
    uvicorn.Server(config).run([listener])
