"""Binds base constraints and those to explain to one version of a catalog, for a solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..catalogs.cached_attribute import cached_attribute
from ..catalogs.deadline import NEVER, Deadline
from ..catalogs.errors import QueryError
from ..catalogs.query.constraint import Constraint
from ..catalogs.query.limits import MAX_CONSTRAINTS
from ..catalogs.query.predicate import Predicate
from ..catalogs.vectors.array_types import Words
from ..catalogs.vectors.row_set import RowSet
from ..catalogs.versions.base_slice import BaseSlice
from ..catalogs.versions.predicate_evaluation import SECONDS_ELSEWHERE
from ..catalogs.versions.reader import CatalogReader
from ..catalogs.versions.snapshot import Snapshot
from .parallel_chunks import run_chunks

Found = TypeVar("Found")

PARALLEL_ROWS = 1 << 21
"""Catalogs of so many rows have constraints that take a millisecond each to evaluate."""


@dataclass(frozen=True)
class Problem:
    """Constraints bound to one version of a catalog.

    `base` always holds, `constraints` are the mask's bits.
    """

    catalog: Snapshot
    base: tuple[Constraint, ...]
    constraints: tuple[Constraint, ...]
    base_predicates: tuple[Predicate, ...]
    predicates: tuple[Predicate, ...]

    @property
    def width(self) -> int:
        """The number of constraints."""
        return len(self.constraints)

    @cached_attribute
    def slice(self) -> BaseSlice:
        """The base slice U with its columns."""
        return self.catalog.base_slice(self.base_predicates)

    @property
    def base_slice(self) -> RowSet:
        """The rows of the base slice U."""
        return self.slice.rows

    @cached_attribute
    def row_sets(self) -> tuple[RowSet, ...]:
        """The rows that satisfy each constraint, in the base slice or not."""
        return tuple(self.catalog.rows(predicate) for predicate in self.predicates)

    @cached_attribute
    def stack(self) -> Words:
        """The words of each constraint by place of the base slice, uint64[k, n]."""
        return self._stacked(NEVER)

    def _stacked(self, until: Deadline, threads: int = 1) -> Words:
        if "row_sets" in self.__dict__:
            return self.slice.stack(self.row_sets, until)
        if self.slice.is_compact:
            return self.slice.stack(self._of_small_slice(until, threads), until)
        stack, write = self.slice.empty_stack(self.width), self.catalog.evaluator.write
        self._of_each(
            lambda each: write(self.predicates[each], stack[each], until), self._helped(threads)
        )
        return stack

    def words(self, position: int) -> Words:
        """Return the words of one constraint by place of the base slice; makes no stack for it."""
        if "stack" in self.__dict__ or self.slice.is_compact:
            return self.stack[position]
        return self.row_sets[position].flat[: len(self.slice.words)]

    def _of_small_slice(self, until: Deadline, threads: int) -> list[RowSet | Words]:
        """Return the rows of each constraint; where it can, only the slice's are compared."""

        def found(position: int) -> RowSet | Words:
            until.check()
            met = self.slice.met(self.predicates[position])
            return self.catalog.rows(self.predicates[position], until) if met is None else met

        return self._of_each(found, threads)

    @property
    def is_read(self) -> bool:
        """Whether the rows of every constraint are known: `slice` and `stack` then cost little."""
        if self.catalog.is_remote:
            return False
        if "stack" in self.__dict__ or ("row_sets" in self.__dict__ and "slice" in self.__dict__):
            return True
        known = self.catalog.evaluator.known
        every = (*self.base_predicates, *self.predicates)
        return all(known(each) is not None for each in every)

    def read(self, until: Deadline, threads: int = 1) -> None:
        """Have the rows of every constraint in `stack`; raise `DeadlinePassed` where time is short.

        Of a large catalog in memory several threads find those of a constraint each.
        """
        if "stack" in self.__dict__:
            return
        if threads > 1 and self.catalog.universe < PARALLEL_ROWS:
            threads = 1
        # Kept here, since the cache does not keep what was never asked for before.
        if "slice" not in self.__dict__:
            self.__dict__["slice"] = self.catalog.base_slice(self.base_predicates, until)
        self.__dict__["stack"] = self._stacked(until, threads)
        until.check()

    def _helped(self, threads: int) -> int:
        """Return how many threads find the rows of a constraint each."""
        evaluator = self.catalog.evaluator
        # Statements of DuckDB take turns, and as many threads as there are.
        if threads > 1 and not all(
            evaluator.known(each) is not None or evaluator.is_quick(each)
            for each in self.predicates
        ):
            return 1
        return threads

    def _of_each(self, found: Callable[[int], Found], threads: int) -> list[Found]:
        """Return what is found of each constraint, by so many threads."""
        if threads == 1:
            return [found(position) for position in range(self.width)]

        def some(positions: Iterator[int]) -> list[tuple[int, Found]]:
            return [(position, found(position)) for position in positions]

        # What is known takes no time, and how long the first take decides whether others help.
        known = [self.catalog.evaluator.known(each) is not None for each in self.predicates]
        parts = run_chunks(sorted(range(self.width), key=known.__getitem__), some, threads)
        by_position = dict(pair for part in parts for pair in part)
        return [by_position[position] for position in range(self.width)]

    def take(self, row_sets: Sequence[RowSet]) -> None:
        """Keep the rows of every constraint, found elsewhere."""
        self.__dict__.setdefault("row_sets", tuple(row_sets))
        if not self.base_predicates:
            self.__dict__.setdefault("slice", self.slice)

    @property
    def most_seconds_to_read(self) -> float:
        """The longest that `read` may take, whatever is in memory: looks at no constraint."""
        constraints = len(self.base_predicates) + len(self.predicates)
        return constraints * self.catalog.universe * SECONDS_ELSEWHERE

    def seconds_to_read(self) -> float:
        """Return an upper estimate of how long `read` takes."""
        if "row_sets" in self.__dict__:
            return 0.0
        seconds_for = self.catalog.evaluator.seconds_for
        return sum(seconds_for(each) for each in (*self.base_predicates, *self.predicates))

    def only_base(self) -> Problem:
        """Return the problem of why the base slice is empty: its constraints over all rows."""
        return Problem(self.catalog, (), self.base, (), self.base_predicates)


def bind_problem(
    catalog: CatalogReader, base: Iterable[Constraint], constraints: Iterable[Constraint]
) -> Problem:
    """Bind constraints to a catalog's present version.

    Raises a `QueryError` for the first that does not fit, and for more than 64 of a kind.
    """
    base, constraints = tuple(base), tuple(constraints)
    most = max(len(base), len(constraints))
    if most > MAX_CONSTRAINTS:
        raise QueryError(
            f"{most} constraints of one kind, and {MAX_CONSTRAINTS} is the most",
            hint="join some of them into one SQL expression",
        )
    pinned = catalog.snapshot()
    return Problem(
        pinned,
        base,
        constraints,
        tuple(pinned.bind(constraint) for constraint in base),
        tuple(pinned.bind(constraint) for constraint in constraints),
    )
