"""The engine: bind → mask → diagnose → relax → rank → explain, each a function of a file.

A question takes milliseconds over a million rows, nearly all of them in `mask` and in the rankers
that `relax` and `rank` ask. Nothing is kept from one question to the next but what the catalog
knows of its columns, unless a query is prepared.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from functools import partial, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar, Unpack, cast

from ..catalogs.errors import QueryError
from ..catalogs.keyboard_interrupt import interruptible_class
from ..catalogs.vectors.kernel_use import await_kernels
from ..catalogs.versions.reader import CatalogReader
from ..solvers.limits import DEFAULT_DEADLINE, DEFAULT_MAX_SETS, Budget, Verdict, check_count
from ..solvers.parallel_chunks import available_threads
from ..solvers.problem import PARALLEL_ROWS
from ..solvers.registry import DEFAULT_SOLVER, get_solver
from .answer import Answer
from .bound_query import BoundQuery, Question, bind
from .diagnosis import Check, Diagnosis, diagnose
from .explained_answer import explain
from .offers import rank
from .relaxation import relax
from .repair_context import mask
from .repair_options import DEFAULT_OPTIONS, RepairKeywords, RepairOptions
from .runtime.collector_pause import collector_paused

if TYPE_CHECKING:
    from ..catalogs.remote.remote_snapshot import RemoteSnapshot
    from ..solvers.solver import Solver
    from .runtime.observers import Observer

LISTED_CONFLICTS = 1_000
"""The most conflicts and repairs a repair's diagnosis lists; `diagnose` has its own limit."""

DIAGNOSIS = 0.25
"""The part of the time that remains which a repair's diagnosis may take."""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def observed(
    ask: Callable[Concatenate[RepairEngine, Arguments], Result],
) -> Callable[Concatenate[RepairEngine, Arguments], Result]:
    """Report each call of an engine's method to the engine's observers."""

    @wraps(ask)
    def timed(engine: RepairEngine, *args: Arguments.args, **options: Arguments.kwargs) -> Result:
        if engine.observers is None:
            return ask(engine, *args, **options)
        # Loads the tracer, which an engine that nobody observes has no use for.
        from .runtime.observers import QuestionTimer

        timer = QuestionTimer(ask.__name__, engine.catalog.name, engine.observers)
        return timer.timed(lambda: ask(engine, *args, **options))

    return timed


@interruptible_class
class RepairEngine:
    """Answers queries over one catalog; safe across threads.

    Each call answers from one version of the catalog, the present one when it begins, and its
    answer names that version; `repair_many` answers all its queries from one.

    `solver` is the default solver's name: `bitset`, `sql`, `z3`, `brute` or a registered one.
    `threads` (default: one a core) read one large catalog side by side; 1 where many questions
    are asked at once. `observers` are told of each question when it has ended, in the thread
    that answered it, and each question is traced; with None nothing of this is done. Raises
    `QueryError` for a solver that does not exist and for no thread.
    """

    def __init__(
        self,
        catalog: CatalogReader,
        *,
        solver: str = DEFAULT_SOLVER,
        threads: int | None = None,
        observers: Iterable[Observer] | None = None,
    ) -> None:
        get_solver(solver)
        self.catalog = catalog
        self.threads = _threads(threads)
        self.solver = solver
        self.observers = None if observers is None else tuple(observers)

    def prepare(self, query: Question) -> BoundQuery:
        """Return a query bound to the catalog's present version, to be asked several times.

        `check`, `diagnose`, `repair` and `repair_many` take it where they take a query, and
        keep in it what they find out about its rows. Once the catalog has another version each
        call binds the query again, as if it were not prepared: prepare it anew. Raises a
        `QueryError` for a query that does not fit the catalog.
        """
        return bind(self.catalog, query)

    @observed
    def check(
        self,
        query: Question,
        *,
        solver: str | None = None,
        deadline: float | None = DEFAULT_DEADLINE,
    ) -> Check:
        """Return whether any row satisfies the query, and how many do.

        Raises a `QueryError` for a query that does not fit the catalog.
        """
        budget, chosen = self._budget(deadline), self._solver(solver)
        with collector_paused(deadline), self._reading():
            problem = bind(self.catalog, query).problem
            chosen.check_width(problem)
            count, stopped_by = chosen.count(problem, budget)
        if count:
            return Check(Verdict.SAT, count, stopped_by)
        return Check(Verdict.UNKNOWN if stopped_by else Verdict.UNSAT, 0, stopped_by)

    @observed
    def diagnose(
        self,
        query: Question,
        *,
        solver: str | None = None,
        deadline: float | None = DEFAULT_DEADLINE,
        limit: int = DEFAULT_MAX_SETS,
        sample: float | None = None,
    ) -> Diagnosis:
        """Return all conflicts, repairs and maximal subsets, and the count of any subset.

        Ends after `deadline` seconds or `limit` sets with `complete=False`. Of a remote catalog
        `sample` is the share of the rows to look at. Raises a
        `QueryError` for a query that does not fit the catalog.
        """
        budget = self._budget(deadline, limit)
        chosen = self._solver(solver)
        with collector_paused(deadline), self._reading():
            bound = bind(self.catalog, query)
            context = mask(bound, chosen, budget, sample=sample)
            diagnosis = diagnose(context)
            context.count_ahead(diagnosis.repairs[:LISTED_CONFLICTS])
            return diagnosis

    @observed
    def repair(
        self,
        query: Question,
        options: RepairOptions = DEFAULT_OPTIONS,
        **changes: Unpack[RepairKeywords],
    ) -> Answer:
        """Return what gives way and what to offer instead.

        Options may be given as keywords, too, which count more. Ends after `deadline` seconds
        with what it has: each step takes a part of the time that is left, so that what matters
        comes first and no step starves those after it. Raises a `QueryError` for a query that
        does not fit the catalog and for options that do not exist.
        """
        started, options = time.perf_counter(), options.changed(**changes)
        solver = self._solver(options.solver)
        budget = self._budget(options.deadline, LISTED_CONFLICTS)

        with collector_paused(options.deadline), self._reading():
            bound = bind(self.catalog, query)
            context = mask(bound, solver, budget, options.pool, options.sample)
            diagnosis = diagnose(context, DIAGNOSIS)
            relaxation = relax(context, diagnosis, options)
            ranking = rank(context, diagnosis, relaxation, options)
            return explain(context, diagnosis, relaxation, ranking, options.policy, started)

    def _solver(self, name: str | None) -> Solver:
        """Return the solver of that name; `sql` by default where rows stay in their database.

        Raises `QueryError` for one that would need them here.
        """
        chosen = get_solver(name or self.solver)
        if not self.catalog.snapshot().is_remote or chosen.name == "sql":
            return chosen
        if chosen.name != DEFAULT_SOLVER:
            problem = f"solver {chosen.name} reads rows in memory, and these stay in their database"
            raise QueryError(problem, hint="leave the solver out, or take sql")
        return get_solver("sql")

    def _reading(self) -> AbstractContextManager[None]:
        """Have all statements of a question see one version of a table in its database."""
        present = self.catalog.snapshot()
        if not present.is_remote:
            return nullcontext()
        return cast("RemoteSnapshot", present).reading()

    def _budget(self, deadline: float | None, limit: int = DEFAULT_MAX_SETS) -> Budget:
        """Return the budget of a question that begins now."""
        if not self.catalog.snapshot().is_remote:
            await_kernels(self.catalog.row_count)
        return Budget(deadline, limit, self.threads)

    def repair_many(
        self,
        queries: Iterable[Question],
        options: RepairOptions = DEFAULT_OPTIONS,
        *,
        threads: int | None = None,
        **changes: Unpack[RepairKeywords],
    ) -> list[Answer]:
        """Return the answers to many queries, in their order; each as `repair` gives it.

        `threads` take a query each; by default one a core where most of the time is spent
        without Python's lock, in kernels over a large catalog or in another database, else one
        alone. `deadline` is for each query. Raises what the first failing query raises.
        """
        alone = copy(self)
        alone.catalog = present = self.catalog.snapshot()
        repair = partial(alone.repair, options=options.changed(**changes))
        is_shared = present.is_remote or present.universe >= PARALLEL_ROWS
        if threads is None and not is_shared:
            return list(map(repair, queries))
        alone.threads = 1
        with ThreadPoolExecutor(_threads(threads)) as pool:
            return list(pool.map(repair, queries))


class ObservedEngine(RepairEngine):
    """A `RepairEngine` with one observer or none, whose questions are traced."""

    def __init__(
        self,
        catalog: CatalogReader,
        *,
        observer: Observer | None = None,
        solver: str = DEFAULT_SOLVER,
        threads: int | None = None,
    ) -> None:
        observers = () if observer is None else (observer,)
        super().__init__(catalog, solver=solver, threads=threads, observers=observers)


def _threads(wanted: int | None) -> int:
    """Return how many threads to use; raise `QueryError` for none."""
    if wanted is None:
        return available_threads()
    check_count("threads", wanted)
    return wanted
