"""PySAT: repairs by MCSls, LBX or RC2, conflicts as their minimal hitting sets; and MARCO.

The row masks enter as a clause "some row", each row implying what it misses to be unmet; a
constraint is a soft clause. RC2's own blocking keeps non-minimal sets out only if each set is
blocked as a clause; LBX and MCSls never end without blocking.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ..comparison import Method, Runner
from .marco import Sets, enumerate_all
from .z3_rows import answer_of

NEEDS = ("pysat",)


@dataclass(frozen=True)
class Rows:
    """The rows as clauses: variable j + 1 says that constraint j is met."""

    width: int
    masks: Sequence[int]

    def clauses(self) -> list[list[int]]:
        """Return the hard clauses."""
        rows = range(self.width + 1, self.width + 1 + len(self.masks))
        unmet = [
            [-row, -(j + 1)]
            for row, mask in zip(rows, self.masks, strict=True)
            for j in range(self.width)
            if not mask >> j & 1
        ]
        return [*unmet, list(rows)]

    def formula(self) -> Any:
        """Return a WCNF: hard clauses, and each constraint as a soft clause."""
        formula = import_module("pysat.formula").WCNF()
        formula.extend(self.clauses())
        formula.extend([[j + 1] for j in range(self.width)], weights=[1] * self.width)
        return formula


def pysat_methods(width: int, masks: Sequence[int], given: str, seconds: float) -> list[Method]:
    """Return PySAT's methods over these masks; `given` says which masks they are."""
    rows = Rows(width, masks)
    searches: dict[str, Callable[[], Sets]] = {
        "MCSls": lambda: _by_blocking(rows, "mcsls", "MCSls", "mcsls"),
        "LBX": lambda: _by_blocking(rows, "lbx", "LBX", "lbx"),
        "RC2": lambda: _by_rc2(rows),
        "MARCO": lambda: _by_marco(rows, seconds),
    }
    return [_method(f"PySAT {name}, {given}", search) for name, search in searches.items()]


def _method(name: str, search: Callable[[], Sets]) -> Method:
    def prepare(stack: ExitStack) -> Runner:
        import_module("pysat.examples.hitman")
        return Runner(search, answer_of)

    return Method(name, prepare, needs=NEEDS)


def _by_blocking(rows: Rows, module: str, name: str, hitter: str) -> Sets:
    repairs: list[frozenset[int]] = []
    with getattr(import_module(f"pysat.examples.{module}"), name)(rows.formula()) as search:
        for repair in search.enumerate():
            repairs.append(frozenset(int(literal) - 1 for literal in repair))
            search.block(repair)
    return _with_conflicts(repairs, hitter)


def _by_rc2(rows: Rows) -> Sets:
    repairs: list[frozenset[int]] = []
    with import_module("pysat.examples.rc2").RC2(rows.formula()) as search:
        while (model := search.compute()) is not None:
            dropped = [j + 1 for j in range(rows.width) if model[j] < 0]
            repairs.append(frozenset(j - 1 for j in dropped))
            if not dropped:
                break
            search.add_clause(dropped)
    return _with_conflicts(repairs, "sorted")


def _with_conflicts(repairs: Sequence[frozenset[int]], hitter: str) -> Sets:
    if not all(repairs):
        return set(), set(repairs)
    hitman = import_module("pysat.examples.hitman").Hitman
    with hitman(bootstrap_with=[sorted(repair) for repair in repairs], htype=hitter) as search:
        conflicts = {frozenset(conflict) for conflict in search.enumerate()}
    return conflicts, set(repairs)


def _by_marco(rows: Rows, seconds: float) -> Sets:
    solver = import_module("pysat.solvers").Solver
    with (
        solver(name="m22", bootstrap_with=rows.clauses()) as oracle,
        solver(name="m22", bootstrap_with=[[j, -j] for j in range(1, rows.width + 1)]) as unsettled,
    ):
        unsettled.set_phases(range(1, rows.width + 1))
        return enumerate_all(
            rows.width, _Oracle(oracle, rows.width), _Map(unsettled, rows.width), seconds
        )


class _Oracle:
    """A SAT solver that knows the rows."""

    def __init__(self, solver: Any, width: int) -> None:
        self.solver, self.width = solver, width

    def satisfiable(self, subset: frozenset[int]) -> bool:
        return self.solver.solve(assumptions=[j + 1 for j in sorted(subset)])

    def met(self) -> frozenset[int]:
        return _true(self.solver.get_model(), self.width)

    def core(self) -> frozenset[int]:
        return frozenset(int(literal) - 1 for literal in self.solver.get_core() or ())


class _Map:
    """Unsettled subsets as a SAT solver that guesses true first."""

    def __init__(self, solver: Any, width: int) -> None:
        self.solver, self.width = solver, width

    def propose(self) -> frozenset[int] | None:
        if not self.solver.solve():
            return None
        return _true(self.solver.get_model(), self.width)

    def settle(self, members: frozenset[int], *, inside: bool) -> None:
        self.solver.add_clause([-(j + 1) if inside else j + 1 for j in sorted(members)])


def _true(model: Sequence[int], width: int) -> frozenset[int]:
    return frozenset(literal - 1 for literal in model[:width] if literal > 0)
