"""All MUS-4 over the base slices of a car catalog, beside a search over Python integers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial

from ...catalogs.catalog import Catalog
from ...solvers.enumeration import minimal_conflicts
from ..python_int_search import integers, python_int_search
from ..slices import Slice, slices
from .race import OURS, Case, Method, Race, Runner
from .report import Cell
from .setting import Job, Setting

FEWEST, MOST = 35, 350
SIZE = 4
QUICK_SLICES = 4

TITLE = "MUS-4 over base slices"
NOTE = (
    "Every minimal conflict of four candidate predicates in every base slice of 35 to 350 rows "
    "(AWARE-US, Algorithm 1 made exhaustive). Slices and candidates are built beforehand. The "
    "python-int search holds each predicate's rows as one integer, as the published generator "
    "does."
)


def jobs(setting: Setting) -> list[Job]:
    """Return the one job."""
    return [partial(cell, setting)]


def cell(setting: Setting) -> Cell:
    """Return the race over all slices; over the first few if quick."""
    parts = car_slices(setting)
    case: Case = {
        "catalog": setting.options.cars_name,
        "slices": len(parts),
        "rows": sum(len(one.rows) for one in parts),
        "candidates": sum(len(one.constraints) for one in parts),
    }
    methods = [_ours(parts), _python_ints(parts)]
    return Race(case, methods).run(setting.options.pace)


def car_slices(setting: Setting) -> list[Slice]:
    """Return the slices of the catalog the options name."""
    catalog = Catalog.open(setting.options.cars)
    found = list(slices(catalog, fewest=FEWEST, most=MOST))
    return found[:QUICK_SLICES] if setting.options.quick else found


def conflicts_of(parts: Sequence[Slice], threads: int) -> list[list[tuple[int, ...]]]:
    """Return the members of all minimal conflicts of each slice, in order."""
    return [
        [
            tuple(members)
            for batch in minimal_conflicts(one.candidates, SIZE, threads=threads)
            for members in batch.members.tolist()
        ]
        for one in parts
    ]


def _ours(parts: Sequence[Slice]) -> Method:
    def prepare(stack: ExitStack) -> Runner:
        def call() -> list[object]:
            return [list(minimal_conflicts(one.candidates, SIZE)) for one in parts]

        return Runner(
            call,
            lambda found: {"conflicts": conflicts_of(parts, 1)},
            bytes=sum(one.candidates.words.nbytes for one in parts),
        )

    return Method(OURS, prepare)


def _python_ints(parts: Sequence[Slice]) -> Method:
    def prepare(stack: ExitStack) -> Runner:
        bits = [integers(one.candidates) for one in parts]
        columns = [one.candidates.columns.tolist() for one in parts]

        def call() -> list[list[tuple[int, ...]]]:
            return [
                list(python_int_search(one, about, "MUS-4"))
                for one, about in zip(bits, columns, strict=True)
            ]

        return Runner(call, lambda found: {"conflicts": found})

    return Method("Python integers", prepare)
