"""The engine: bind → mask → diagnose → relax → rank → explain."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import partial

from ..catalogs.errors import QueryError
from ..catalogs.query import Query
from ..catalogs.reader import CatalogReader
from ..catalogs.row_set import ByteBoundedCache
from ..catalogs.snapshot import Snapshot
from ..solvers.limits import DEFAULT_DEADLINE, DEFAULT_MAX_SETS, Budget, Verdict
from ..solvers.problem import bind_problem
from ..solvers.registry import DEFAULT_SOLVER, get_solver
from ..solvers.sharing import available_threads
from ..solvers.solver import Solver
from .alternatives import pool_size
from .answer import Answer
from .case import Case
from .diagnosis import Check, Diagnosis, diagnose
from .plan import Plan
from .policies import DEFAULT_POLICY, Choice, get_policy
from .search import Found, answer, search

DEFAULT_TOP = 5
SHOWN_CONFLICTS = 1_000
"""The most conflicts and repairs a repair's diagnosis lists; `diagnose` has its own limit."""

PLAN_BYTES = 256 * 2**20
"""The memory for queries that are bound already, unless an engine is told otherwise."""


class Plans:
    """Queries bound to one version of the catalog, kept in up to `max_bytes`."""

    def __init__(self, catalog: Snapshot, max_bytes: int) -> None:
        self.catalog = catalog
        # A plan holds its query, so no other can have the same id meanwhile.
        self._held: ByteBoundedCache[Plan] = ByteBoundedCache(max_bytes)

    def get(self, query: Query) -> Plan:
        """Return the plan of a query; raise a `QueryError` if it does not fit the catalog."""
        if not self._held.max_bytes:
            return self._plan(query)
        return self._held.get(id(query), lambda: self._plan(query))

    def _plan(self, query: Query) -> Plan:
        problem = bind_problem(self.catalog, query.base, query.constraints)
        for objective in query.objectives:
            self.catalog.schema.find(objective.column)
        return Plan(query, problem)


class RepairEngine:
    """Answers queries over one catalog; safe across threads.

    Each call answers from one version of the catalog, the present one when it begins, and its
    answer names that version; `repair_many` answers all its queries from one.

    `solver` is the default solver's name: `bitset`, `sql`, `z3`, `brute` or a registered one.
    `threads` (default: one a core) read one large catalog side by side; 1 where many questions
    are asked at once. `plan_bytes` of memory keep what a `Query` object was bound to, for whoever
    asks the same object again; 0 where every question makes a new one. Raises `QueryError` for a
    solver that does not exist, for no thread and for less than no memory.
    """

    def __init__(
        self,
        catalog: CatalogReader,
        *,
        solver: str = DEFAULT_SOLVER,
        threads: int | None = None,
        plan_bytes: int = PLAN_BYTES,
    ) -> None:
        get_solver(solver)
        if plan_bytes < 0:
            raise QueryError(f"plan_bytes is {plan_bytes}", hint="give 0 or more")
        self.catalog = catalog
        self.threads = _threads(threads)
        self.solver = solver
        self.plan_bytes = plan_bytes
        self._plans = Plans(catalog.snapshot(), plan_bytes)

    def check(
        self, query: Query, *, solver: str | None = None, deadline: float | None = DEFAULT_DEADLINE
    ) -> Check:
        """Return whether any row satisfies the query, and how many do.

        Raises a `QueryError` for a query that does not fit the catalog.
        """
        chosen, plan = self._chosen(query, solver)
        count, stopped_by = chosen.count(plan.problem, Budget(deadline))
        if count:
            return Check(Verdict.SAT, count, stopped_by)
        return Check(Verdict.UNKNOWN if stopped_by else Verdict.UNSAT, 0, stopped_by)

    def diagnose(
        self,
        query: Query,
        *,
        solver: str | None = None,
        deadline: float | None = DEFAULT_DEADLINE,
        limit: int = DEFAULT_MAX_SETS,
    ) -> Diagnosis:
        """Return all conflicts, repairs and maximal subsets, and the count of any subset.

        Ends after `deadline` seconds or `limit` sets with `complete=False`. Raises a
        `QueryError` for a query that does not fit the catalog.
        """
        return diagnose(self._case(query, solver, Budget(deadline, limit, self.threads)))

    def repair(
        self,
        query: Query,
        *,
        policy: str = DEFAULT_POLICY,
        top: int = DEFAULT_TOP,
        order: str = "cost",
        priority: Sequence[str] = (),
        solver: str | None = None,
        deadline: float | None = DEFAULT_DEADLINE,
    ) -> Answer:
        """Return what gives way and what to offer instead.

        `policy` is how what gives way is chosen (`engine.policies`; `priority` names the
        columns for the policy of that name); `top` bounds alternatives, shifts, items and near
        misses each; `order` is `"cost"` or `"diverse"`. Ends after `deadline` seconds with
        what it has. Raises a `QueryError` for a query that does not fit the catalog.
        """
        started = time.perf_counter()
        return answer(
            self._found(query, policy, top, order, priority, solver, deadline), policy, started
        )

    def repair_many(
        self,
        queries: Iterable[Query],
        *,
        threads: int | None = None,
        policy: str = DEFAULT_POLICY,
        top: int = DEFAULT_TOP,
        order: str = "cost",
        priority: Sequence[str] = (),
        solver: str | None = None,
        deadline: float | None = DEFAULT_DEADLINE,
    ) -> list[Answer]:
        """Return the answers to many queries, in their order; each as `repair` gives it.

        `threads` (default: one a core) take a query each, since the kernels need no lock of
        Python's. `deadline` is for each query. Raises what the first failing query raises.
        """
        alone = copy(self)
        alone.catalog = self.catalog.snapshot()
        alone.threads = 1
        one = partial(
            alone.repair,
            policy=policy,
            top=top,
            order=order,
            priority=priority,
            solver=solver,
            deadline=deadline,
        )
        with ThreadPoolExecutor(_threads(threads)) as pool:
            return list(pool.map(one, queries))

    def _found(
        self,
        query: Query,
        policy: str,
        top: int,
        order: str,
        priority: Sequence[str],
        solver: str | None,
        deadline: float | None,
    ) -> Found:
        if top < 1:
            raise QueryError(f"top is {top}", hint="ask for at least 1")
        choose, wanted = get_policy(policy), pool_size(top, order)
        budget = Budget(deadline, SHOWN_CONFLICTS, self.threads)
        case = self._case(query, solver, budget, wanted)
        diagnosis = diagnose(case)
        choice = Choice(frozenset())
        if diagnosis.verdict is not Verdict.SAT:
            choice = choose(case, priority)
        return search(case, diagnosis, choice, top, order)

    def _case(self, query: Query, solver: str | None, budget: Budget, wanted: int = 1) -> Case:
        chosen, plan = self._chosen(query, solver)
        return Case(plan, chosen, budget, chosen.histogram(plan.problem, budget), wanted)

    def _chosen(self, query: Query, solver: str | None) -> tuple[Solver, Plan]:
        chosen = get_solver(solver or self.solver)
        plan = self._present().get(query)
        chosen.check_width(plan.problem)
        return chosen, plan

    def _present(self) -> Plans:
        """Return the plans over the catalog's present version: all that one call looks at."""
        catalog, held = self.catalog.snapshot(), self._plans
        if held.catalog is not catalog:
            held = Plans(catalog, self.plan_bytes)
            # A call that began earlier does not bring back the plans of an older version.
            if catalog.version >= self._plans.catalog.version:
                self._plans = held
        return held


def _threads(wanted: int | None) -> int:
    """Return how many threads to use; raise `QueryError` for none."""
    if wanted is None:
        return available_threads()
    if wanted < 1:
        raise QueryError(f"threads is {wanted}", hint="ask for at least 1")
    return wanted
