"""One thread against two: a batch of repairs, and the search for conflicts in slices."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial

from ...catalogs.catalog import Catalog
from ...engine.repair_engine import RepairEngine
from ...solvers.enumeration import minimal_conflicts
from ...solvers.enumeration_sets import Hits
from ..slices import EVERY_VALUE, base_slices, build_slice
from .race import OURS, Answer, Case, Method, Race, Runner
from .repair import TOP, answer_of_engine
from .report import Cell
from .setting import Job, Setting
from .shop import Shop
from .slices import QUICK_SLICES, SIZE

TITLE = "Threads"
NOTE = (
    "The same calls with one thread and with two; a ratio of 0.5 is twice as fast. Repairs: "
    "`engine.repair_many` over queries with different bounds, each as in the repair section. "
    "Enumeration: all MUS-4 of the slice with most candidates, every value a bound."
)
THREADS = (1, 2)


def jobs(setting: Setting) -> list[Job]:
    """Return the batch of repairs, and the enumeration."""
    return [partial(_repairs, setting), partial(_enumeration, setting)]


def _repairs(setting: Setting) -> Cell:
    quick = setting.options.quick
    shop = Shop(100_000 if quick else 1_000_000, setting.options.seed)
    queries = [shop.query(base=False, tighter=step) for step in range(8 if quick else 32)]
    engine = RepairEngine(shop.catalog)

    def method(threads: int) -> Method:
        def prepare(stack: ExitStack) -> Runner:
            return Runner(
                lambda: engine.repair_many(queries, threads=threads, top=TOP),
                lambda found: {"answers": [answer_of_engine(one) for one in found]},
            )

        return Method(_name(threads), prepare)

    case: Case = {"of": "repair_many", "rows": shop.rows, "queries": len(queries)}
    methods = [method(threads) for threads in THREADS]
    return Race(case, methods, shop.selectivity(queries[0])).run(setting.options.pace)


def _enumeration(setting: Setting) -> Cell:
    catalog = Catalog.open(setting.options.cars)
    bases = base_slices(catalog)[: QUICK_SLICES if setting.options.quick else None]
    eligible = [build_slice(catalog, one, strictness=EVERY_VALUE) for one in bases]
    largest = max(eligible, key=lambda one: len(one.candidates))
    candidates = largest.candidates

    def method(threads: int) -> Method:
        def prepare(stack: ExitStack) -> Runner:
            return Runner(
                lambda: list(minimal_conflicts(candidates, SIZE, threads=threads)),
                _members,
                bytes=candidates.words.nbytes,
            )

        return Method(_name(threads), prepare)

    case: Case = {"of": "MUS-4", "rows": len(largest.rows), "candidates": len(candidates)}
    return Race(case, [method(threads) for threads in THREADS]).run(setting.options.pace)


def _members(found: Sequence[Hits]) -> Answer:
    return {"conflicts": [one for batch in found for one in batch.members.tolist()]}


def _name(threads: int) -> str:
    return OURS + (", 1 thread" if threads == 1 else f", {threads} threads")
