"""The diagnosis of a stored histogram: what `RepairEngine.diagnose` says, and no row is read."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from ..solvers.histogram import MaskHistogram
from ..solvers.limits import DEFAULT_DEADLINE, DEFAULT_MAX_SETS, Budget
from ..solvers.masks import Sets, mask_of
from ..solvers.minimal_sets import MinimalSets
from ..solvers.partials.partial import Partial
from ..solvers.partials.stored_histogram import (
    StoredHistogram,
    merged_histograms,
    read_histogram,
)
from ..solvers.registry import DEFAULT_SOLVER, get_solver
from ..solvers.solver import Solver
from .diagnosis import Diagnosis

Source = StoredHistogram | str | PathLike[str]


def diagnose_histogram(
    *sources: Source,
    solver: str = DEFAULT_SOLVER,
    deadline: float | None = DEFAULT_DEADLINE,
    limit: int = DEFAULT_MAX_SETS,
) -> Diagnosis:
    """Return the diagnosis of the rows behind one or several histograms of one query.

    Equals that of one pass over all these rows but for `catalog_version`, which is None. Raises
    `CatalogError` for what is no histogram, for histograms of different queries or columns, and
    for a partition counted twice; `QueryError` for a solver or a limit that does not exist.
    """
    budget, chosen = Budget(deadline, limit), get_solver(solver)
    stored = merged_histograms([_read(source) for source in sources])
    query, together = stored.query, stored.together
    histogram = together.histogram
    everything = chosen.minimal_sets(histogram, budget)
    return Diagnosis(
        query=query,
        verdict=histogram.verdict,
        everything=everything,
        allowed=_allowed(stored, histogram, everything, chosen, budget),
        base_conflicts=_base_conflicts(together, chosen, budget),
        histogram=histogram,
        catalog_version=None,
    )


def _read(source: Source) -> StoredHistogram:
    return source if isinstance(source, StoredHistogram) else read_histogram(Path(source))


def _allowed(
    stored: StoredHistogram,
    histogram: MaskHistogram,
    everything: MinimalSets,
    solver: Solver,
    budget: Budget,
) -> MinimalSets:
    """Return the minimal repairs in units; those over everything if nothing is hard or grouped."""
    query = stored.query
    units, hard = query.groups, query.hard_positions
    alone = all(len(unit) == 1 for unit in units)
    if alone and not hard:
        return everything
    kept = histogram.with_all(mask_of(hard)) if hard else histogram
    return solver.minimal_sets(kept if alone else kept.by_unit(units), budget)


def _base_conflicts(together: Partial, solver: Solver, budget: Budget) -> Sets:
    if together.rows or together.base is None:
        return ()
    return solver.minimal_sets(together.base.histogram, budget).conflicts
