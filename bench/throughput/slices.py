"""Section: all MUS-4 over base slices of a car catalog, beside a search over Python integers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial

from ...catalogs.catalog import Catalog
from ...solvers.enumeration.candidates import Hits
from ...solvers.enumeration.search import Sought, search_each
from ..generation.slices import EVERY_VALUE, STRICTNESS, Slice, base_slices, build_slice
from .comparison import OURS, Case, Comparison, Runner, method
from .report import Cell
from .rivals.python_int_search import integers, python_int_search
from .setting import Job, Setting

SOUGHT: Sought = "MUS-4"
QUICK_SLICES = 4

TITLE = "MUS-4 over base slices"
NOTE = (
    "Every minimal conflict of four candidate predicates in every base slice of 35 to 350 rows "
    "(AWARE-US, Algorithm 1 made exhaustive). Slices and candidates are built beforehand. The "
    "python-int search holds each predicate's rows as one integer, as the published generator "
    "does."
)


def jobs(setting: Setting) -> list[Job]:
    """Return the job with the bounds the paper uses, and the one with every value a bound."""
    return [partial(cell, setting, every_value=every) for every in (False, True)]


def cell(setting: Setting, *, every_value: bool) -> Cell:
    """Return the comparison over all slices; over the first few if quick."""
    parts = car_slices(setting, every_value=every_value)
    case: Case = {
        "catalog": setting.options.cars_name,
        "bounds": "every value" if every_value else "published",
        "slices": len(parts),
        "rows": sum(len(part.rows) for part in parts),
        "candidates": sum(len(part.constraints) for part in parts),
    }
    methods = [_ours(parts), _python_ints(parts)]
    return Comparison(case, methods).run(setting.options.pace)


def car_slices(setting: Setting, *, every_value: bool, quick: int = QUICK_SLICES) -> list[Slice]:
    """Return the slices of the catalog the options name, the first `quick` if quick."""
    catalog = Catalog.open(setting.options.cars)
    strictness = EVERY_VALUE if every_value else STRICTNESS
    bases = base_slices(catalog)[: quick if setting.options.quick else None]
    return [build_slice(catalog, base, strictness=strictness) for base in bases]


def members_of(hits_by_slice: Sequence[Hits]) -> list[list[tuple[int, ...]]]:
    """Return the members of all hits of each slice, in order."""
    return [[tuple(members) for members in hits.members.tolist()] for hits in hits_by_slice]


@method(OURS)
def _ours(stack: ExitStack, parts: Sequence[Slice]) -> Runner:
    candidates = [part.candidates for part in parts]
    return Runner(
        lambda: list(search_each(candidates, SOUGHT)),
        lambda hits: {"conflicts": members_of(hits)},
        bytes=sum(part.candidates.words.nbytes for part in parts),
    )


@method("Python integers")
def _python_ints(stack: ExitStack, parts: Sequence[Slice]) -> Runner:
    bits = [integers(part.candidates) for part in parts]
    columns = [part.candidates.columns.tolist() for part in parts]

    def call() -> list[list[tuple[int, ...]]]:
        return [
            list(python_int_search(rows, about, SOUGHT))
            for rows, about in zip(bits, columns, strict=True)
        ]

    return Runner(call, lambda members: {"conflicts": members})
