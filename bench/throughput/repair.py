"""`RepairEngine.repair` end to end: asked for the first time, warm, prepared; and in plain DuckDB.

The first row is a question nobody asked before, its answer written out as JSON text. Cost: one
catalog of 10⁶ rows and 12 columns, kept in memory until the run ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any, Literal

from ...catalogs.query.predicate import quoted
from ...catalogs.query.query import Query
from ...catalogs.sources.loading import TABLE
from ...engine.answer import Answer as EngineAnswer
from ...engine.answer import Status
from ...engine.repair_engine import RepairEngine
from ..quiet_connection import quiet_connection
from .comparison import OURS, Answer, Case, Comparison, Method, Runner, method, renewing
from .report import Cell, Speed
from .rivals.duckdb_repair import DuckDbAnswer, DuckDbRepair
from .rivals.duckdb_whole_repair import WholeDuckDbRepair
from .setting import Job, Setting
from .shop import Shop

SIZES, QUICK_SIZES = (100_000, 1_000_000, 10_000_000), (100_000, 1_000_000)
TOP = 10

FIRST, WARM, PREPARED = f"{OURS}, first time", f"{OURS}, warm", f"{OURS}, prepared"
WHOLE = "DuckDB, whole answer, 1 thread"

TITLE = "Repair, end to end"
NOTE = (
    "`engine.repair(query, top=10).to_json()` over 12 columns on one thread, of six constraints "
    "that no row meets; with and without a base slice of 0.8 % of the rows. The first line is a "
    "question asked for the first time: every call has a new `Query` with bounds that nobody "
    "asked for before, those of the base slice included, unprepared, and its answer is written "
    "out whole as JSON. Warm: a new `Query` with the bounds asked before, so the rows of each "
    "condition are known. Prepared: the same query, bound once beforehand. DuckDB, whole answer: "
    "verdict, all conflicts, repairs with counts, witnesses and certificates, shifts with counts, "
    "items and near misses by prepared statements, the rest in Python, written out as JSON, with "
    "one thread and with DuckDB's default. DuckDB, four statements: verdict, cheapest repairs "
    "with counts and witnesses, ranked items and near misses, and no JSON."
)


def jobs(setting: Setting) -> list[Job]:
    """Return, for each size, the job without and the one with a base slice."""
    setting.forget()
    sizes = QUICK_SIZES if setting.options.quick else SIZES
    shops = [Shop(rows, setting.options.seed) for rows in sizes]
    return [partial(cell, setting, shop, base=base) for shop in shops for base in (False, True)]


def cell(setting: Setting, shop: Shop, *, base: bool) -> Cell:
    """Return one comparison; the catalog is warm."""
    query = shop.query(base=base)
    shop.catalog.warm()
    methods = [
        _asked_anew(FIRST, shop, lambda: shop.unseen(base=base)),
        _asked_anew(WARM, shop, lambda: shop.query(base=base)),
        _prepared(shop, query),
        _whole(WHOLE, shop, query, 1),
        _whole("DuckDB, whole answer", shop, query, 0),
        _duckdb(shop, query),
    ]
    case: Case = {
        "rows": shop.rows,
        "k": len(query.constraints),
        "base": "0.8 %" if base else "all",
        "state": "first time",
    }
    found = Comparison(case, methods, shop.selectivity(query)).run(setting.options.fine_pace)
    return found.model_copy(update={"speeds": _speeds(found, shop.rows, base=base)})


def _speeds(found: Cell, rows: int, *, base: bool) -> tuple[Speed, ...]:
    """Return the times of ours in one line each, with how much longer DuckDB takes."""
    kinds: dict[str, Literal["first", "prepared", "warm"]] = {
        FIRST: "first",
        PREPARED: "prepared",
        WARM: "warm",
    }
    whole = found.result(WHOLE)
    speeds: list[Speed] = []
    for result in found.results:
        if result.method not in kinds or result.median_ms is None:
            continue
        theirs = None if whole is None else whole.median_ms
        speeds.append(
            Speed(
                rows=rows,
                k=int(found.case["k"]),
                kind=kinds[result.method],
                base=base,
                p50_ms=result.median_ms,
                p99_ms=result.p99_ms or result.median_ms,
                cpu_ms=result.cpu_ms or result.median_ms,
                duckdb_ratio=None if theirs is None else theirs / result.median_ms,
            )
        )
    return tuple(speeds)


def _asked_anew(name: str, shop: Shop, make: Callable[[], Query]) -> Method:
    """Return a method that makes a new query before each call, untimed."""

    def prepare(stack: ExitStack) -> Runner:
        engine = RepairEngine(shop.catalog, threads=1)
        return renewing(make, lambda query: _written(engine.repair(query, top=TOP)), _both_answers)

    return Method(name, prepare)


@method(PREPARED)
def _prepared(stack: ExitStack, shop: Shop, query: Query) -> Runner:
    engine = RepairEngine(shop.catalog, threads=1)
    prepared = engine.prepare(query)
    return Runner(lambda: _written(engine.repair(prepared, top=TOP)), _both_answers)


def _written(answer: EngineAnswer) -> EngineAnswer:
    """Write an answer out as JSON text, and return it."""
    answer.to_json()
    return answer


def _whole(name: str, shop: Shop, query: Query, threads: int) -> Method:
    """Return the whole answer in DuckDB, with so many threads; 0 for as many as it takes."""

    def prepare(stack: ExitStack) -> Runner:
        # A database of its own: the catalog's cannot be told how many threads to take any more.
        own = stack.enter_context(quiet_connection())
        if threads:
            own.execute(f"SET threads = {threads}")
        row_id = quoted(shop.catalog.row_id)
        own.execute(f"CREATE TABLE {TABLE} AS {shop.sql(f'i AS {row_id}, ')}")
        whole = WholeDuckDbRepair(shop.catalog, query, TOP, own)
        return Runner(whole.run, whole_of_duckdb)

    return Method(name, prepare)


@method("DuckDB, four statements")
def _duckdb(stack: ExitStack, shop: Shop, query: Query) -> Runner:
    ready = DuckDbRepair(shop.catalog, query, TOP)
    return Runner(ready.run, answer_of_duckdb)


def _both_answers(answer: EngineAnswer) -> Answer:
    return {**answer_of_engine(answer), "whole": whole_of_engine(answer)}


def _repairs_of(answer: EngineAnswer | DuckDbAnswer) -> list[Any]:
    """Return the repairs; costs are sums of doubles, whose last digits depend on the order."""
    return [
        (repair.dropped, round(repair.cost, 12), repair.count, repair.witness)
        for repair in answer.repairs
    ]


def answer_of_engine(answer: EngineAnswer) -> Answer:
    """Return what both sides answer, from the engine's answer."""
    return {
        "satisfiable": answer.status is Status.SAT_NO_RELAXATION,
        "count": answer.count,
        "repairs": _repairs_of(answer),
        "items": [(item.row_id, item.score, item.row) for item in answer.items],
        "near misses": [
            (near_miss.row_id, near_miss.violation, near_miss.row)
            for near_miss in answer.near_misses
        ],
    }


def answer_of_duckdb(answer: DuckDbAnswer) -> Answer:
    """Return what both sides answer, from DuckDB's."""

    def listed(pairs: Any) -> list[Any]:
        return [(row, value, answer.rows[row]) for row, value in pairs]

    return {
        "satisfiable": answer.satisfiable,
        "count": answer.count,
        "repairs": _repairs_of(answer),
        "items": listed(answer.items),
        "near misses": listed(answer.near_misses),
    }


def whole_of_duckdb(text: str) -> Answer:
    """Return what the whole answer in DuckDB says, read from its JSON."""
    return {"whole": json.loads(text)}


def whole_of_engine(answer: EngineAnswer) -> dict[str, Any]:
    """Return the engine's answer, read from its JSON, in the form of `WholeDuckDbRepair`."""
    record = json.loads(answer.to_json())
    every = ("count", "drop_one_counts", "conflicts")
    return {
        "satisfiable": answer.status is Status.SAT_NO_RELAXATION,
        **{name: record[name] for name in every},
        "repairs": [
            _some(repair, "dropped", "cost", "count", "witness", "must_hit")
            for repair in record["repairs"]
        ],
        "shifts": [_shift(shift) for shift in record["shifts"]],
        "items": [_item(item) for item in record["items"]],
        "near_misses": [
            {
                **_some(near, "row_id", "row", "violation"),
                "violates": [
                    [part["position"], part["actual"], part["distance"]]
                    for part in near["violates"]
                ],
            }
            for near in record["near_misses"]
        ],
    }


def _some(record: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: record[name] for name in names}


def _shift(record: dict[str, Any]) -> dict[str, Any]:
    moves = [change for change in record["changes"] if change["action"] == "shift"]
    return {
        "moved": [[move["position"], move["distance"]] for move in moves],
        "to": [move["to"]["value"] for move in moves],
        **_some(record, "dropped", "cost", "count", "witness"),
    }


def _item(record: dict[str, Any]) -> dict[str, Any]:
    contributions = [
        [part["column"], part["weight"], part["satisfaction"], part["contribution"]]
        for part in record["contributions"]
    ]
    return {
        **_some(record, "row_id", "row", "score", "meets", "misses", "pareto"),
        "contributions": contributions,
    }
