"""CPMpy: its MARCO, with PySAT as its solver and for its map.

Of its solvers and forms of the rows (a table constraint or clauses, OR-Tools, Z3 or PySAT)
this one ended first, by an order of magnitude.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from ..comparison import Runner, TimedOut, method
from .marco import Sets
from .z3_rows import answer_of

SOLVER = "pysat"


@method("CPMpy marco, row masks", needs=("cpmpy", SOLVER))
def cpmpy_method(stack: ExitStack, width: int, masks: Sequence[int], seconds: float) -> Runner:
    """Return CPMpy's MARCO over these distinct masks, one implication a mask."""
    cp: Any = import_module("cpmpy")
    marco: Any = import_module("cpmpy.tools.explain.marco").marco
    met = list(cp.boolvar(shape=width))
    rows = list(cp.boolvar(shape=len(masks)))
    unmet = [
        [~met[j] for j in range(width) if not mask >> j & 1] or [cp.BoolVal(True)] for mask in masks
    ]
    each = [row.implies(cp.all(missed)) for row, missed in zip(rows, unmet, strict=True)]
    hard = [cp.any(rows), *each]
    return Runner(lambda: _search(marco, met, hard, seconds), answer_of)


def _search(marco: Any, met: list[Any], hard: list[Any], seconds: float) -> Sets:
    places = {variable.name: j for j, variable in enumerate(met)}
    sets: dict[str, set[frozenset[int]]] = {"MUS": set(), "MCS": set()}
    end = time.monotonic() + seconds
    for kind, members in marco(soft=met, hard=hard, solver=SOLVER, map_solver=SOLVER):
        sets[kind].add(frozenset(places[member.name] for member in members))
        if time.monotonic() > end:
            raise TimedOut(f"did not end in {seconds:g} s")
    return sets["MUS"], sets["MCS"]
