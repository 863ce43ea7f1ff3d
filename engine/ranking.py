"""What to offer: items ranked by soft satisfaction over all constraints, dropped ones too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..catalogs.catalog import Row
from ..catalogs.columns import Column
from ..catalogs.row_set import Ids, RowSet
from .answer import Contribution, Item
from .case import Case
from .distances import Floats

RISING = (">", ">=")
FALLING = ("<", "<=")


@dataclass(frozen=True)
class Term:
    """One constraint or objective over the candidates: satisfaction is float64[n] in [0, 1]."""

    column: str
    position: int | None
    weight: float
    satisfaction: Floats


@dataclass(frozen=True)
class Ranked:
    """The best candidates found: `ids` of all candidates, `best` are places in it, best first."""

    ids: Ids
    terms: list[Term]
    scores: Floats
    best: NDArray[np.intp]

    @property
    def row_ids(self) -> list[int]:
        """The row ids of the best."""
        return [int(one) for one in self.ids[self.best]]


def rank(case: Case, candidates: RowSet, top: int) -> Ranked:
    """Return the `top` candidates by score, best first.

    The score is the sum over all additional constraints, relaxed ones too, of weight ×
    satisfaction, plus weight × normalised value for each objective (AWARE-US, section 2.4
    and Algorithm 1). Ties go to the lower cost (`Catalog.cost_column`), then to the first row.
    """
    ids = candidates.ids
    terms = score_terms(case, ids)
    scores = np.zeros(len(ids))
    for term in terms:
        scores += term.weight * term.satisfaction
    return Ranked(ids, terms, scores, lowest(case, ids, -scores, top))


def items(case: Case, ranked: Ranked) -> tuple[Item, ...]:
    """Return the ranked candidates as items, each with why it stands where it does."""
    rows = case.fetch(ranked.row_ids)
    undominated = _pareto(ranked.terms, ranked.best)
    return tuple(
        _item(case, ranked, int(index), row, pareto)
        for index, row, pareto in zip(ranked.best, rows, undominated, strict=True)
    )


def score_terms(case: Case, ids: Ids) -> list[Term]:
    """Return the terms of the score: constraints by position, then objectives."""
    terms = [_constraint_term(case, position, ids) for position in range(case.width)]
    for objective in case.query.objectives:
        column = case.catalog.schema.find(objective.column)
        values = normalised(case, column, ids)
        values = values if objective.direction == "max" else 1.0 - values
        satisfaction = np.nan_to_num(values, nan=0.0)
        terms.append(Term(column.name, None, objective.weight, satisfaction))
    return terms


def _constraint_term(case: Case, position: int, ids: Ids) -> Term:
    constraint = case.query.constraints[position]
    columns = case.problem.predicates[position].columns
    name = columns[0] if len(columns) == 1 else str(constraint.value)
    column = case.catalog.schema.find(name) if constraint.column is not None else None
    return Term(name, position, constraint.importance, _satisfaction(case, position, column, ids))


def _satisfaction(case: Case, position: int, column: Column | None, ids: Ids) -> Floats:
    """Return the normalised value for a lower bound, 1 minus it for an upper bound, else 0 or 1.

    NULL earns nothing.
    """
    op = case.query.constraints[position].op
    if column is None or not column.ordered or op not in (*RISING, *FALLING):
        return case.row_sets[position].within(ids).astype(np.float64)
    values = normalised(case, column, ids)
    return np.nan_to_num(values if op in RISING else 1.0 - values, nan=0.0)


def normalised(case: Case, column: Column, ids: Ids) -> Floats:
    """Return values min-max-normalised over the base slice; 1 where all of it is equal.

    Infinite values are at the ends of the scale and do not stretch it.
    """
    values = case.catalog.numbers(column.name)[ids]
    low, high = case.known_range(column.name) or (0.0, 0.0)
    if low == high:
        return np.where(np.isnan(values), np.nan, 1.0)
    return np.clip((values - low) / (high - low), 0.0, 1.0)


def lowest(case: Case, ids: Ids, keys: Floats, top: int) -> NDArray[np.intp]:
    """Return the places of the `top` lowest keys, lowest first.

    Ties go to the lower cost, then to the lower row id; `ids` and `keys` stand side by side.
    """
    places = np.arange(len(ids))
    if len(ids) > top:
        places = np.flatnonzero(keys <= np.partition(keys, top - 1)[top - 1])
    order = np.lexsort((ids[places], cost_of(case, ids[places]), keys[places]))
    return places[order][:top]


def cost_of(case: Case, ids: Ids) -> Floats:
    """Return what rows cost, float64[n]: infinite where unknown, 0 without a cost column."""
    column = case.catalog.cost_column
    if column is None:
        return np.zeros(len(ids))
    return np.nan_to_num(case.catalog.numbers(column)[ids], nan=np.inf)


def _pareto(terms: list[Term], best: NDArray[np.intp]) -> list[bool]:
    """Return for each of the best whether no candidate dominates it."""
    undominated: list[bool] = []
    for index in best:
        at_least, better = np.True_, np.False_
        for term in terms:
            own = term.satisfaction[index]
            at_least = at_least & (term.satisfaction >= own)
            better = better | (term.satisfaction > own)
        undominated.append(not bool(np.any(at_least & better)))
    return undominated


def _item(case: Case, ranked: Ranked, index: int, row: Row, pareto: bool) -> Item:
    row_id = int(ranked.ids[index])
    meets = tuple(i for i, rows in enumerate(case.row_sets) if row_id in rows.bitmap)
    return Item(
        row_id=row_id,
        row=row,
        score=float(ranked.scores[index]),
        meets=meets,
        misses=tuple(i for i in range(case.width) if i not in meets),
        contributions=tuple(_contribution(term, index) for term in ranked.terms),
        pareto=pareto,
    )


def _contribution(term: Term, index: int) -> Contribution:
    satisfaction = float(term.satisfaction[index])
    return Contribution(
        column=term.column,
        position=term.position,
        weight=term.weight,
        satisfaction=satisfaction,
        contribution=term.weight * satisfaction,
    )
