"""The same calls with one thread and with two: a batch of repairs, and enumerations in slices."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...engine.repair_engine import RepairEngine
from ...solvers.enumeration.search import Sought, search_each
from .comparison import OURS, Case, Comparison, Method, Runner
from .repair import TOP, answer_of_engine
from .report import Cell
from .setting import Job, Setting
from .shop import Shop
from .slices import car_slices, members_of

TITLE = "Threads"
NOTE = (
    "The same calls with one thread and with two; a ratio of 0.5 is twice as fast. Repairs: "
    "`engine.repair_many` over queries with different bounds, each as in the repair section. "
    "Enumeration: all MUS-4, and all unique-repair quads, of the slices, every value a bound."
)


QUICK_SLICES = 24
"""Slices searched together."""


def jobs(setting: Setting) -> list[Job]:
    """Return the batch of repairs, and the enumerations."""
    sought: tuple[Sought, ...] = ("MUS-4", "unique-repair")
    return [partial(_repairs, setting), *(partial(_enumeration, setting, kind) for kind in sought)]


def _repairs(setting: Setting) -> Cell:
    quick = setting.options.quick
    shop = Shop(100_000 if quick else 1_000_000, setting.options.seed)
    queries = [shop.query(base=False, tighter=step) for step in range(8 if quick else 32)]
    engine = RepairEngine(shop.catalog)
    prepared = [engine.prepare(query) for query in queries]

    def runner(threads: int) -> Runner:
        return Runner(
            lambda: engine.repair_many(prepared, threads=threads, top=TOP),
            lambda answers: {"answers": [answer_of_engine(answer) for answer in answers]},
        )

    case: Case = {"of": "repair_many", "rows": shop.rows, "queries": len(queries)}
    comparison = Comparison(case, _by_threads(runner), shop.selectivity(queries[0]))
    return comparison.run(setting.options.pace)


def _enumeration(setting: Setting, sought: Sought) -> Cell:
    parts = car_slices(setting, every_value=True, quick=QUICK_SLICES)
    candidates = [part.candidates for part in parts]

    def runner(threads: int) -> Runner:
        return Runner(
            lambda: list(search_each(candidates, sought, threads=threads)),
            lambda hits: {"members": members_of(hits)},
            bytes=sum(candidate.words.nbytes for candidate in candidates),
        )

    rows = sum(len(part.rows) for part in parts)
    case: Case = {"of": sought, "rows": rows, "candidates": sum(map(len, candidates))}
    return Comparison(case, _by_threads(runner)).run(setting.options.pace)


def _by_threads(runner: Callable[[int], Runner]) -> list[Method]:
    names = {1: f"{OURS}, 1 thread", 2: f"{OURS}, 2 threads"}
    return [Method(name, lambda stack, n=n: runner(n)) for n, name in names.items()]
