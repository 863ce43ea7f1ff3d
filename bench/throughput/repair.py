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
    "`engine.repair(query, top=10)` of six constraints that no row meets, 10⁶ rows and 12 columns, "
    "the rows of each condition known; with and without a base slice of one row in 128. "
    "`prepared` asks what `engine.prepare(query)` returned. DuckDB "
    "gives verdict, cheapest repairs with counts and witnesses, ranked items and near misses "
    "in four statements; ours also lists all conflicts, certificates and shifted bounds."
)


def jobs(setting: Setting) -> list[Job]:
    """Return the job without and the one with a base slice."""
    setting.forget()
    shop = Shop(ROWS, setting.options.seed)
    return [partial(cell, setting, shop, base=base) for base in (False, True)]


def cell(setting: Setting, shop: Shop, *, base: bool) -> Cell:
    """Return one race."""
    query = shop.query(base=base)
    methods = [_ours(shop, query), _ours(shop, query, prepared=True), _duckdb(shop, query)]
    case: Case = {
        "rows": shop.rows,
        "k": len(query.constraints),
        "base": "1 row in 128" if base else "all",
        "state": "warm",
    }
    return Race(case, methods, shop.selectivity(query)).run(setting.options.fine_pace)


def _ours(shop: Shop, query: Query, *, prepared: bool = False) -> Method:
    def prepare(stack: ExitStack) -> Runner:
        engine = RepairEngine(shop.catalog)
        question = engine.prepare(query) if prepared else query

        def call() -> EngineAnswer:
            return engine.repair(question, top=TOP)

        return Runner(call, answer_of_engine)

    return Method(OURS + (", prepared" if prepared else ""), prepare)


def _duckdb(shop: Shop, query: Query) -> Method:
    def prepare(stack: ExitStack) -> Runner:
        ready = DuckDbRepair(shop.catalog, query, TOP)
        return Runner(ready.run, answer_of_duckdb)

    return Method("DuckDB, four statements", prepare)


def answer_of_engine(found: EngineAnswer) -> Answer:
    """Return what both sides answer, from the engine's answer."""
    return {
        "satisfiable": found.status is Status.SAT_NO_RELAXATION,
        "count": found.count,
        "repairs": [
            (one.dropped, round(one.cost, DIGITS), one.count, one.witness) for one in found.repairs
        ],
        "items": [(one.row_id, round(one.score, DIGITS), one.row) for one in found.items],
        "near misses": [
            (one.row_id, round(one.violation, DIGITS), one.row) for one in found.near_misses
        ],
    }


def answer_of_duckdb(found: FoundAnswer) -> Answer:
    """Return what both sides answer, from DuckDB's."""

    def listed(pairs: Any) -> list[Any]:
        return [(one, round(value, DIGITS), found.rows[one]) for one, value in pairs]

    return {
        "satisfiable": found.satisfiable,
        "count": found.count,
        "repairs": [
            (one.dropped, round(one.cost, DIGITS), one.count, one.witness) for one in found.repairs
        ],
        "items": listed(found.items),
        "near misses": listed(found.near_misses),
    }
