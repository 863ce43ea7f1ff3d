"""`RepairEngine.repair` end to end, beside the same answer in plain DuckDB."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import Any

from ...catalogs.query import Query
from ...engine.answer import Answer as EngineAnswer
from ...engine.answer import Status
from ...engine.repair_engine import RepairEngine
from ..duckdb_repair import DuckDbRepair, FoundAnswer
from .race import OURS, Answer, Case, Method, Race, Runner
from .report import Cell
from .setting import Job, Setting
from .shop import Shop

ROWS = 1_000_000
TOP = 10
DIGITS = 9

TITLE = "Repair, end to end"
NOTE = (
    "`engine.repair(query, top=10)` on a prepared query of six constraints that no row meets, "
    "10⁶ rows and 12 columns, warm; with and without a base slice of one row in 128. DuckDB "
    "gives verdict, cheapest repairs with counts and witnesses, ranked items and near misses "
    "in four statements; ours also lists all conflicts, certificates and shifted bounds. An "
    "answer is searched at once and written out where it is read: `written out` reads all of "
    "it, rows, SQL and sentences."
)


def jobs(setting: Setting) -> list[Job]:
    """Return the job without and the one with a base slice."""
    setting.forget()
    shop = Shop(ROWS, setting.options.seed)
    return [partial(cell, setting, shop, base=base) for base in (False, True)]


def cell(setting: Setting, shop: Shop, *, base: bool) -> Cell:
    """Return one race."""
    query = shop.query(base=base)
    methods = [_ours(shop, query), _ours(shop, query, written=True), _duckdb(shop, query)]
    case: Case = {
        "rows": shop.rows,
        "k": len(query.constraints),
        "base": "1 row in 128" if base else "all",
        "state": "warm",
    }
    return Race(case, methods, shop.selectivity(query)).run(setting.options.fine_pace)


def _ours(shop: Shop, query: Query, *, written: bool = False) -> Method:
    def prepare(stack: ExitStack) -> Runner:
        engine = RepairEngine(shop.catalog)

        def call() -> EngineAnswer:
            answer = engine.repair(query, top=TOP)
            return answer.written() if written else answer

        return Runner(call, answer_of_engine)

    return Method(OURS + (", written out" if written else ""), prepare)


def _duckdb(shop: Shop, query: Query) -> Method:
    def prepare(stack: ExitStack) -> Runner:
        ready = DuckDbRepair(shop.catalog, query, TOP)
        return Runner(ready.run, answer_of_duckdb)

    return Method("DuckDB, four statements", prepare)


def answer_of_engine(answer: EngineAnswer) -> Answer:
    """Return what both sides answer, from the engine's answer."""
    return {
        "satisfiable": answer.status is Status.SAT_NO_RELAXATION,
        "count": answer.count,
        "repairs": [
            (repair.dropped, round(repair.cost, DIGITS), repair.count, repair.witness)
            for repair in answer.repairs
        ],
        "items": [(item.row_id, round(item.score, DIGITS), item.row) for item in answer.items],
        "near misses": [
            (near_miss.row_id, round(near_miss.violation, DIGITS), near_miss.row)
            for near_miss in answer.near_misses
        ],
    }


def answer_of_duckdb(answer: FoundAnswer) -> Answer:
    """Return what both sides answer, from DuckDB's."""

    def listed(pairs: Any) -> list[Any]:
        return [(row, round(value, DIGITS), answer.rows[row]) for row, value in pairs]

    return {
        "satisfiable": answer.satisfiable,
        "count": answer.count,
        "repairs": [
            (repair.dropped, round(repair.cost, DIGITS), repair.count, repair.witness)
            for repair in answer.repairs
        ],
        "items": listed(answer.items),
        "near misses": listed(answer.near_misses),
    }
