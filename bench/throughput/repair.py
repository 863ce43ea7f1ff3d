"""`RepairEngine.repair` end to end: asked for the first time, warm, prepared; and in plain DuckDB.

The first row is a question nobody asked before, its answer written out as JSON text. Cost: one
catalog of 10⁶ rows and 12 columns, kept in memory until the run ends.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

from ...catalogs.query.query import Query
from ...engine.answer import Answer as EngineAnswer
from ...engine.answer import Status
from ...engine.repair_engine import RepairEngine
from .comparison import OURS, Answer, Case, Comparison, Method, Runner, method, renewing
from .report import Cell
from .rivals.duckdb_repair import DuckDbAnswer, DuckDbRepair
from .setting import Job, Setting
from .shop import Shop

ROWS = 1_000_000
TOP = 10

TITLE = "Repair, end to end"
NOTE = (
    "`engine.repair(query, top=10).to_json()` over 10⁶ rows and 12 columns on one thread, of six "
    "constraints that no row meets; with and without a base slice of one row in 128. The first "
    "line is a question asked for the first time: every call has a new `Query` with bounds that "
    "nobody asked for before, unprepared, and its answer is written out whole as JSON. Warm: a "
    "new `Query` with the bounds asked before, so the rows of each condition are known. "
    "Prepared: the same query, bound once beforehand. DuckDB gives verdict, cheapest repairs "
    "with counts and witnesses, ranked items and near misses in four statements written "
    "beforehand, and no JSON; ours also lists all conflicts, certificates and shifted bounds."
)


def jobs(setting: Setting) -> list[Job]:
    """Return the job without and the one with a base slice."""
    setting.forget()
    shop = Shop(ROWS, setting.options.seed)
    return [partial(cell, setting, shop, base=base) for base in (False, True)]


def cell(setting: Setting, shop: Shop, *, base: bool) -> Cell:
    """Return one comparison."""
    query = shop.query(base=base)
    methods = [
        _asked_anew("first time", shop, lambda: shop.unseen(base=base)),
        _asked_anew("warm", shop, lambda: shop.query(base=base)),
        _prepared(shop, query),
        _duckdb(shop, query),
    ]
    case: Case = {
        "rows": shop.rows,
        "k": len(query.constraints),
        "base": "1 row in 128" if base else "all",
        "state": "first time",
    }
    return Comparison(case, methods, shop.selectivity(query)).run(setting.options.fine_pace)


def _asked_anew(state: str, shop: Shop, make: Callable[[], Query]) -> Method:
    """Return a method that makes a new query before each call, untimed."""

    def prepare(stack: ExitStack) -> Runner:
        engine = RepairEngine(shop.catalog, threads=1)
        return renewing(
            make, lambda query: _written(engine.repair(query, top=TOP)), answer_of_engine
        )

    return Method(f"{OURS}, {state}", prepare)


@method(f"{OURS}, prepared")
def _prepared(stack: ExitStack, shop: Shop, query: Query) -> Runner:
    engine = RepairEngine(shop.catalog, threads=1)
    prepared = engine.prepare(query)
    return Runner(lambda: _written(engine.repair(prepared, top=TOP)), answer_of_engine)


def _written(answer: EngineAnswer) -> EngineAnswer:
    """Write an answer out as JSON text, and return it."""
    answer.to_json()
    return answer


@method("DuckDB, four statements")
def _duckdb(stack: ExitStack, shop: Shop, query: Query) -> Runner:
    ready = DuckDbRepair(shop.catalog, query, TOP)
    return Runner(ready.run, answer_of_duckdb)


def answer_of_engine(answer: EngineAnswer) -> Answer:
    """Return what both sides answer, from the engine's answer."""
    return {
        "satisfiable": answer.status is Status.SAT_NO_RELAXATION,
        "count": answer.count,
        "repairs": [
            (repair.dropped, repair.cost, repair.count, repair.witness) for repair in answer.repairs
        ],
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
        "repairs": [
            (repair.dropped, repair.cost, repair.count, repair.witness) for repair in answer.repairs
        ],
        "items": listed(answer.items),
        "near misses": listed(answer.near_misses),
    }
