"""A small shop whose search never ends with "nothing found".

The shop searches its own database as ever. Only where that finds nothing it asks concede what
should give way, and offers that instead, with the reason.

    pip install 'concede[server]'   # or, from a checkout: pip install '.[server]'
    uvicorn shop_search:app --app-dir examples
    curl 'localhost:8000/search?room=kitchen&max_price=30&min_watts=20'
"""

from __future__ import annotations

import csv
import math
import random
import sqlite3
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response

from concede import (
    AsyncRepairEngine,
    Catalog,
    Constraint,
    LimitError,
    Query,
    QueryError,
    RepairEngine,
)

ROOMS = ("bathroom", "bedroom", "garden", "hall", "kitchen", "office")
COLUMNS = ("sku", "room", "watts", "price", "dimmable")

FILTERS: dict[str, tuple[str, str, float]] = {
    # What the form calls it: the column, the operator, and how much shoppers care.
    "room": ("room", "==", 1.0),
    "max_price": ("price", "<=", 0.8),
    "min_watts": ("watts", ">=", 0.5),
    "dimmable": ("dimmable", "==", 0.3),
}
NUMBERS = ("max_price", "min_watts")


def stock() -> list[tuple[Any, ...]]:
    """Return the shop's items: brighter lamps cost more."""
    dice = random.Random(7)
    lamps: list[tuple[Any, ...]] = []
    for number in range(300):
        watts = dice.choice((3, 5, 8, 12, 20, 35))
        price = round(6 + watts * dice.uniform(1.5, 4), 2)
        dimmable = dice.choice(("yes", "no"))
        lamps.append((f"L{number:03}", dice.choice(ROOMS), watts, price, dimmable))
    return lamps


def open_shop() -> sqlite3.Connection:
    """Return the shop's own database."""
    shop = sqlite3.connect(":memory:", check_same_thread=False)
    shop.row_factory = sqlite3.Row
    shop.execute("CREATE TABLE lamps (sku TEXT, room TEXT, watts INT, price REAL, dimmable TEXT)")
    shop.executemany("INSERT INTO lamps VALUES (?, ?, ?, ?, ?)", stock())
    return shop


def open_catalog(shop: sqlite3.Connection) -> Catalog:
    """Return what concede reads: the same items, at the moment the shop starts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lamps.csv"
        with path.open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(COLUMNS)
            rows.writerows(shop.execute("SELECT * FROM lamps"))
        return Catalog.open(path, key="sku", name="lamps")


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
    """Open the shop, and an engine that answers two at once and lets twenty wait."""
    app.state.shop = open_shop()
    catalog = open_catalog(app.state.shop)
    engine = RepairEngine(catalog, threads=1)
    async with AsyncRepairEngine(engine, threads=2, queue=20) as app.state.engine:
        yield


app = FastAPI(lifespan=lifespan)


def number_of(name: str, text: str) -> float:
    """Return a number somebody typed; raise `ValueError` with one line to show for no such."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise ValueError(f"{name} is a number, 0 or more, not {text[:20]!r}")
    return number


def wishes_of(request: Request) -> list[Constraint]:
    """Return the filters somebody set, as constraints; raise `ValueError` for what is no number,
    and `QueryError` for what no question may hold.
    """
    wishes: list[Constraint] = []
    for name, (column, op, weight) in FILTERS.items():
        text = request.query_params.get(name)
        if text:
            value = number_of(name, text) if name in NUMBERS else text
            wishes.append(Constraint(column=column, op=op, value=value, weight=weight))
    return wishes


def own_search(shop: sqlite3.Connection, wishes: list[Constraint]) -> list[dict[str, Any]]:
    """Return what the shop's own search finds."""
    conditions = [f"{wish.column} {wish.op} ?" for wish in wishes]
    where = " AND ".join(conditions) or "true"
    rows = shop.execute(
        f"SELECT * FROM lamps WHERE {where} ORDER BY price LIMIT 10",
        [wish.value for wish in wishes],
    )
    return [dict(row) for row in rows]


@app.get("/search")
async def search(request: Request, response: Response) -> dict[str, Any]:
    """Return what matches; if nothing does, what comes closest, and why."""
    try:
        wishes = wishes_of(request)
    except (ValueError, QueryError) as problem:
        response.status_code = 422
        return {"items": [], "problem": str(problem)}
    items = own_search(request.app.state.shop, wishes)
    if items or not wishes:
        return {"items": items}
    return await instead(request.app.state.engine, wishes)


async def instead(engine: AsyncRepairEngine, wishes: list[Constraint]) -> dict[str, Any]:
    """Return what to offer where nothing matches; an empty page if there is no time for that."""
    try:
        answer = await engine.repair(Query(constraints=tuple(wishes)), top=3, deadline=0.2)
    except LimitError:
        return {"items": []}
    return {
        "items": [item.row for item in answer.items],
        "gave_way": [str(constraint) for constraint in answer.relaxed],
        "why": answer.explanation,
        "or_move": [shift.explanation for shift in answer.shifts],
        "complete": answer.complete,
    }
