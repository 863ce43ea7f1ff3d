"""Solvers by name: the built-in ones, and those that other packages offer.

To add a solver, write one file with a class derived from `Solver` (see `solver.py`): give it
a `name`, the `max_constraints` it takes, and a `histogram` that begins with
`self.check_width(problem)` and returns a `MaskHistogram`; say `stopped_by="deadline"` when
the budget ended before every row was read. Conflicts, repairs and prices come for free;
override `minimal_sets` and `cheapest_repairs` only to find them another way. Then

- built in: add one line to `BUILT_IN` below;
- in another package: name the class as an entry point in the group `concede.solvers`, under
  the solver's name.

Either way `tests/contract/test_every_solver.py` runs it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from ..catalogs.errors import QueryError, shown
from .solver import Solver

ENTRY_POINTS = "concede.solvers"
DEFAULT_SOLVER = "bitset"

BUILT_IN = {
    "bitset": ("bitset", "BitsetSolver"),
    "sql": ("sql", "SqlSolver"),
    "z3": ("z3_solver", "Z3Solver"),
    "brute": ("brute", "BruteSolver"),
}


def solver_names() -> tuple[str, ...]:
    """Return the names of all solvers, built-in ones first; nobody else can take those."""
    others = sorted(one.name for one in entry_points(group=ENTRY_POINTS))
    return tuple(dict.fromkeys([*BUILT_IN, *others]))


def get_solver(name: str) -> Solver:
    """Return a solver by name; raise `QueryError` for one that does not exist or load."""
    if name in BUILT_IN:
        return _built_in(name)
    for one in entry_points(group=ENTRY_POINTS, name=name):
        return _loaded(name, one)
    raise QueryError(f"no solver {shown(name)}", way_out=f"solvers: {', '.join(solver_names())}")


@cache
def _built_in(name: str) -> Solver:
    module, attribute = BUILT_IN[name]
    return cast("Solver", getattr(import_module(f".{module}", __package__), attribute)())


def _loaded(name: str, offer: EntryPoint) -> Solver:
    way_out = f"repair or remove the package that offers it in {ENTRY_POINTS}"
    try:
        found: Any = offer.load()
    except (ImportError, AttributeError) as error:
        raise QueryError(
            f"solver {shown(name)} cannot be loaded: {error}", way_out=way_out
        ) from error
    if not (isinstance(found, type) and issubclass(found, Solver)):
        raise QueryError(f"{shown(name)} is not a class of solvers", way_out=way_out)
    return found()
