"""Section: memory bandwidth of this machine, and the share of it that each kernel reaches."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from ...catalogs.query.query import Query
from ...solvers.limits import Budget
from ...solvers.registry import get_solver
from .comparison import OURS, Comparison, Method, Runner, renewing
from .data import Question, shares_of
from .report import Cell
from .setting import Job, Setting
from .timings import Pace, timed

TITLE = "The machine, and how near to its limit"
NOTE = (
    "Bandwidths are measured in the same run: the best of many reads (a sum of 64-bit words) "
    "and copies of a buffer inside L2, one inside L3, and one larger than any cache. For each "
    "kernel: the bytes it must read for one answer over its median time, and that over the "
    "bandwidth of the smallest of the three buffers that holds as much."
)
BUFFERS = {"L2": 512 * 2**10, "L3": 8 * 2**20, "memory": 256 * 2**20}
PACKAGES = ("concede", "duckdb", "pyroaring", "numba", "numpy", "z3-solver", "python-sat", "cpmpy")


def jobs(setting: Setting) -> list[Job]:
    """Return the bandwidths, then one job a kernel, which is set beside them."""
    measured: dict[str, float] = {}

    def bandwidths() -> Cell:
        measured.update(measure_bandwidths(setting.options.quick))
        return Cell(case={"of": "bandwidth"}, figures=measured)

    rows = (1_000_000,) if setting.options.quick else (1_000_000, 10_000_000)
    kernels = [
        partial(_kernel_cell, setting, measured, name, size) for size in rows for name in KERNELS
    ]
    return [bandwidths, *kernels]


def measure_bandwidths(quick: bool) -> dict[str, float]:
    """Return GB/s by what was done: reads and copies of each buffer, and reads by two threads.

    A copy of n bytes counts n bytes read and n written.
    """
    from .bandwidth import read_words

    measured: dict[str, float] = {}
    pace = Pace(2_000, 0.1 if quick else 0.5, 5)
    for name, size in BUFFERS.items():
        source = np.arange(size // 8, dtype=np.uint64)
        target = np.zeros_like(source)
        read = _fastest(partial(read_words, source), pace)
        measured[f"read {name}, GB/s"] = size / read / 1e9
        copied = _fastest(partial(np.copyto, target, source), pace)
        measured[f"copy {name}, GB/s"] = 2 * size / copied / 1e9
        halves = np.array_split(source, 2)
        with ThreadPoolExecutor(2) as pool:
            both = _fastest(partial(_read_halves, pool, read_words, halves), pace)
        if name == "memory":
            measured["read memory by 2 threads, GB/s"] = size / both / 1e9
    return measured


def _read_halves(pool: ThreadPoolExecutor, read: Callable[..., Any], halves: list[Any]) -> None:
    list(pool.map(read, halves))


def _fastest(call: Callable[[], Any], pace: Pace) -> float:
    call()
    return timed(call, pace).fastest


def _count_all(question: Question) -> Runner:
    from ...solvers.bitset import count_all

    sets = [rows.flat for rows in question.row_sets]
    return Runner(lambda: count_all(sets), bytes=question.words_bytes)


def _histogram(question: Question) -> Runner:
    solver, problem = get_solver("bitset"), question.problem
    return Runner(lambda: solver.histogram(problem, Budget(None)), bytes=question.words_bytes)


def _predicate(question: Question) -> Runner:
    catalog = question.catalog

    def call(query: Query) -> None:
        for constraint in query.constraints:
            catalog.rows(catalog.bind(constraint))

    return renewing(question.unseen, call, size=question.columns_bytes)


KERNELS: dict[str, tuple[int, Callable[[Question], Runner]]] = {
    "count of 4 sets": (4, _count_all),
    "histogram, k = 4": (4, _histogram),
    "histogram, k = 8": (8, _histogram),
    "histogram, k = 12": (12, _histogram),
    "histogram, k = 16": (16, _histogram),
    "4 cold predicates": (4, _predicate),
}


def _kernel_cell(setting: Setting, measured: dict[str, float], name: str, rows: int) -> Cell:
    width, make = KERNELS[name]
    question = Question(setting.table(rows, 16), shares_of(0.3, width))
    matching = question.catalog.count(question.problem.predicates)
    case = {"of": name, "rows": rows, "density": 0.3}
    ours = Method(OURS, lambda stack: make(question))
    comparison = Comparison(case, [ours], question.selectivity(matching))
    cell = comparison.run(setting.options.pace)
    result = cell.results[0]
    read, seconds = result.bytes or 0, (result.median_ms or 0.0) / 1e3
    speed = read / seconds / 1e9
    limit = measured[f"read {place_of(read)}, GB/s"]
    return cell.model_copy(update={"figures": {"GB/s": speed, "of the limit": speed / limit}})


def place_of(size: int) -> str:
    """Return the fastest place that holds so many bytes: L2, L3 or memory."""
    return next((name for name, capacity in BUFFERS.items() if size <= capacity), "memory")


def describe_machine() -> dict[str, str | int | float]:
    """Return what the machine is: processor, cores, caches, memory, system."""
    description: dict[str, str | int | float] = {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }
    for level, name in (("index2", "L2"), ("index3", "L3")):
        size = _text(f"/sys/devices/system/cpu/cpu0/cache/{level}/size")
        if size:
            description[name] = size
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    description["memory, GiB"] = round(pages / 2**30, 1)
    return description


def _processor() -> str:
    lines = _text("/proc/cpuinfo").splitlines()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or "unknown")


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def versions() -> dict[str, str]:
    """Return the version of each package that can take part; `not installed` for others."""
    return {name: _version(name) for name in PACKAGES}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
