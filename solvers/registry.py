"""Solvers by name: the built-in ones, and those that other packages offer.

To add a solver, write one file with a class derived from `Solver` (see `solver.py`): give it
a `name`, the `max_constraints` it takes, and a `histogram` that returns a `MaskHistogram`; say
`stopped_by="deadline"` when the budget ended before every row was read. Conflicts, repairs and
prices come for free; override `minimal_sets` and `cheapest_repairs` only to find them another
way. Then

- built in: add one line to `BUILT_IN` below;
- in another package: name the class as an entry point in the group `concede.solvers`, under
  the solver's name.

Either way `tests/contract/test_every_solver.py` runs it.
"""

from __future__ import annotations

from ..catalogs.registry import Registry
from .solver import Solver

ENTRY_POINTS = "concede.solvers"
DEFAULT_SOLVER = "bitset"

BUILT_IN = {
    "bitset": ("bitset", "BitsetSolver"),
    "sql": ("sql", "SqlSolver"),
    "z3": ("z3_solver", "Z3Solver"),
    "brute": ("brute", "BruteSolver"),
}

_solvers: Registry[Solver] = Registry(
    "solver", ENTRY_POINTS, Solver, __name__.rpartition(".")[0], BUILT_IN
)


def solver_names() -> tuple[str, ...]:
    """Return the names of all solvers, built-in ones first; nobody else can take those."""
    return _solvers.names()


def get_solver(name: str) -> Solver:
    """Return a solver by name; raise `QueryError` for one that does not exist or load."""
    return _solvers.get(name)
