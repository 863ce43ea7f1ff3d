"""The first question of a process, in a process of its own each time: import, open, ask, write.

With compiled kernels on disk, and without kernels, as on a machine that never answered a question.
Rows lie in a Parquet file, which is read once before. Costs one process a run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np

from ...catalogs.query.predicate import literal
from ...catalogs.vectors.kernel_use import VARIABLE
from ..quiet_connection import quiet_connection
from .report import Cell
from .setting import Job, Setting
from .shop import Shop

Kernels = Literal["compiled", "none"]

SIZES = (100_000, 1_000_000)
RUNS, QUICK_RUNS = 5, 2
QUESTIONS = 10
PACKAGE = __name__.split(".", 1)[0]

TITLE = "First use"
NOTE = (
    "A new process for each run: importing the package, opening a Parquet file of 12 columns, the "
    "first question of six constraints that no row meets, written out as JSON, then nine more, "
    "each with bounds that nobody asked for before. Medians in milliseconds; processor time is "
    "that of the whole process until it ends. Kernels: compiled ones lie on disk; or there are "
    "none and NumPy answers, as while they are compiled, but with nothing compiled beside. Nobody "
    "else takes part."
)

CHILD = """
import json, os, sys, time
begun = time.perf_counter()
import {package} as package
from {package}.bench.throughput.shop import Shop
imported = time.perf_counter()
catalog = package.Catalog.open(sys.argv[1])
engine = package.RepairEngine(catalog)
opened = time.perf_counter()
shop, took = Shop(0, 0), []
for _ in range({questions}):
    query, started = shop.unseen(base=False), time.perf_counter()
    engine.repair(query, top=10).to_json()
    took.append(1e3 * (time.perf_counter() - started))
processor = 1e3 * time.process_time()
figures = {{"import_ms": imported - begun, "open_ms": opened - imported}}
figures = {{name: 1e3 * value for name, value in figures.items()}}
figures |= {{"first_ms": took[0], "second_ms": took[1], "last_ms": took[-1]}}
print(json.dumps(figures | {{"cpu_ms": processor}}), flush=True)
os._exit(0)
"""


def jobs(setting: Setting) -> list[Job]:
    """Return a job for each number of rows and state of the kernels."""
    kinds: tuple[Kernels, ...] = ("compiled", "none")
    return [partial(cell, setting, rows, kernels) for rows in SIZES for kernels in kinds]


def cell(setting: Setting, rows: int, kernels: Kernels) -> Cell:
    """Return the medians over some processes."""
    runs = QUICK_RUNS if setting.options.quick else RUNS
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "shop.parquet"
        with quiet_connection() as source:
            made = Shop(rows, setting.options.seed).sql()
            source.execute(f"COPY ({made}) TO {literal(str(file))} (FORMAT parquet)")
        if kernels == "compiled":
            # Compiles what is missing.
            _run(file, {VARIABLE: "wait"})
        state = {} if kernels == "compiled" else {VARIABLE: "off"}
        ran = [_run(file, state) for _ in range(runs)]
    names = list(ran[0])
    figures = {name: float(np.median([figures[name] for figures in ran])) for name in names}
    return Cell(case={"of": "repair", "rows": rows, "kernels": kernels}, figures=figures)


def _run(file: Path, environment: dict[str, str]) -> dict[str, float]:
    """Return what a process reports, and how long it took as a whole."""
    program = CHILD.format(package=PACKAGE, questions=QUESTIONS)
    started = time.perf_counter()
    ended = subprocess.run(
        [sys.executable, "-c", program, str(file)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    whole = 1e3 * (time.perf_counter() - started)
    return {"whole_ms": whole, **json.loads(ended.stdout)}
