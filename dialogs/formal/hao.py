"""`formal-hao`: solve, take the unsat core as the reason, propose, ask, solve again.

After Hao et al. (2024/25), the baseline AWARE-US reimplements (section 3): an outer loop of at
most 10 solves, and inside it at most 15 actions, each a search, an analysis or a suggestion
that the user agrees to or refuses. Two slips of the public code are avoided on purpose: its
suggestions index a filtered list by the place in the unfiltered one, and the query its tenth
repair leaves is never checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ...catalogs.query.constraint import Constraint, words
from ...catalogs.query.query import Query
from ...catalogs.versions.reader import CatalogReader
from ...solvers.limits import DEFAULT_DEADLINE, Budget, Verdict
from .aware import FormalRun, Iteration, finished
from .edits import Edit, check, edits, matching

MAX_SOLVES = 10
MAX_ACTIONS = 15

Kind = Literal["search", "analyse", "suggest"]


@dataclass(frozen=True, slots=True)
class Action:
    """What the planner does next: look for values at `position`, analyse, or suggest an edit.

    `edit` is the place among the edits open now.
    """

    kind: Kind
    position: int | None = None
    edit: int | None = None


@dataclass
class State:
    """What the planner sees: the conflict, the edits open, and what it has done so far."""

    core: tuple[int, ...]
    constraints: tuple[Constraint, ...]
    open: list[Edit]
    log: list[str] = field(default_factory=list[str])


class Planner(Protocol):
    """Decides on the next action; None gives up on this conflict."""

    def act(self, state: State) -> Action | None:
        """Return the next action."""
        ...


class Judge(Protocol):
    """The user, asked about one edit."""

    def agrees(self, edit: Edit, core: Sequence[Constraint]) -> bool:
        """Return whether the user accepts the edit."""
        ...


class CheapestFirst:
    """Analyses, searches every member once, then suggests from the cheapest edit on."""

    def act(self, state: State) -> Action | None:
        """See `Planner.act`."""
        steps = len(state.log)
        if not steps:
            return Action("analyse")
        if steps <= len(state.core):
            return Action("search", position=state.core[steps - 1])
        return Action("suggest", edit=0) if state.open else None


class LeastImportant:
    """Agrees where nothing in the conflict matters less than what would change."""

    def agrees(self, edit: Edit, core: Sequence[Constraint]) -> bool:
        """See `Judge.agrees`."""
        return edit.before.importance <= min(constraint.importance for constraint in core)


def formal_hao(
    catalog: CatalogReader,
    query: Query,
    planner: Planner | None = None,
    judge: Judge | None = None,
    *,
    order: Sequence[tuple[str, str]] | None = None,
    deadline: float | None = DEFAULT_DEADLINE,
) -> FormalRun:
    """Return what the baseline makes of a query.

    It gives up (UNSAT) only when a whole round of actions changes nothing. Raises a
    `QueryError` for a query that does not fit the catalog.
    """
    budget = Budget(deadline)
    plans, user = planner or CheapestFirst(), judge or LeastImportant()
    remaining: list[Constraint | None] = list(query.constraints)
    iterations: list[Iteration] = []
    checked = check(catalog, query, remaining, budget)
    for _ in range(MAX_SOLVES):
        if checked.verdict is not Verdict.UNSAT:
            break
        agreed = _round(catalog, query, remaining, checked.core, plans, user)
        if agreed is None:
            break
        iteration, edit = agreed
        remaining[edit.position] = edit.to
        after = len(matching(catalog, query, remaining))
        iterations.append(Iteration(iteration.core, iteration.n_edits, edit, after))
        # Also after the tenth.
        checked = check(catalog, query, remaining, budget)
    return finished(catalog, query, remaining, checked.verdict, iterations, order)


def _round(
    catalog: CatalogReader,
    query: Query,
    remaining: Sequence[Constraint | None],
    core: tuple[int, ...],
    planner: Planner,
    judge: Judge,
) -> tuple[Iteration, Edit] | None:
    """Return the edit the user agreed to; None if actions or edits ran out."""
    listed = edits(catalog, query, remaining, core)
    members = tuple(constraint for at in core if (constraint := remaining[at]) is not None)
    state = State(core, members, list(listed))
    for _ in range(MAX_ACTIONS):
        action = planner.act(state)
        if action is None:
            return None
        edit = _suggested(action, state)
        if edit is None:
            state.log.append(_observed(action, state, listed))
        elif judge.agrees(edit, members):
            return Iteration(members, len(listed), edit, 0), edit
        else:
            # The edit itself goes, not whatever stands at its place in another list.
            state.open.remove(edit)
            state.log.append(f"refused: {described(edit)}")
    return None


def _suggested(action: Action, state: State) -> Edit | None:
    if action.kind != "suggest" or action.edit is None or not 0 <= action.edit < len(state.open):
        return None
    return state.open[action.edit]


def _observed(action: Action, state: State, listed: Sequence[Edit]) -> str:
    if action.kind == "analyse":
        return "together impossible: " + " and ".join(
            words(constraint) for constraint in state.constraints
        )
    if action.kind == "search":
        values = [words(edit.to) for edit in listed if edit.position == action.position and edit.to]
        return f"possible at {action.position}: {'; '.join(values) or 'nothing but dropping it'}"
    return f"no edit {action.edit}"


def described(edit: Edit) -> str:
    """Return the edit for a person: `drop price ≤ 300` or `price ≤ 300 becomes price ≤ 350`."""
    before = words(edit.before)
    return f"drop {before}" if edit.to is None else f"{before} becomes {words(edit.to)}"
