"""The score, against the formula spelled out over plain rows."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog, Constraint, Objective, Query, RepairEngine
from shops import met, number, shop, wish

SHOPS = {size: shop(11, size) for size in (1, 25, 80)}


@given(st.sampled_from(sorted(SHOPS)), st.integers(0, 10**6), st.integers(1, 6), st.booleans())
def test_items_equal_the_formula(size, seed, count, aim):
    store = SHOPS[size]
    query = wish(seed, count)
    if aim:
        objective = Objective(column="weight", direction="min", weight=0.4)
        query = Query(base=query.base, constraints=query.constraints, objectives=[objective])
    answer = RepairEngine(store.catalog).repair(query, top=3, rank="score")
    base = [row for row in store.rows if all(met(row, constraint) for constraint in query.base)]
    relaxed = {change.position for change in answer.repairs[0].changes} if answer.relaxed else set()
    kept = [one for i, one in enumerate(query.constraints) if i not in relaxed]
    candidates = (
        [r for r in base if all(met(r, constraint) for constraint in kept)] if answer.count else []
    )
    scored = [(sum(_terms(row, query, base)), row) for row in candidates]
    order = sorted(
        range(len(scored)),
        key=lambda i: (-round(scored[i][0], 9), _cost(scored[i][1]), i),
    )
    assert [item.row for item in answer.items] == [scored[i][1] for i in order[:3]]
    for item in answer.items:
        terms = _terms(item.row, query, base)
        assert item.score == pytest.approx(sum(terms))
        assert [c.contribution for c in item.contributions] == pytest.approx(terms)
        meets = [i for i, one in enumerate(query.constraints) if met(item.row, one)]
        assert list(item.meets) == meets
        assert sorted((*item.meets, *item.misses)) == list(range(len(query.constraints)))
        assert item.pareto == _undominated(item.row, candidates, query, base)


def _cost(row) -> float:
    return float("inf") if row["price"] is None else row["price"]


def _terms(row, query, base) -> list[float]:
    """Return weight × satisfaction of constraints, then objectives (AWARE-US, Algorithm 1)."""
    terms = [
        constraint.importance * _satisfaction(row, constraint, base)
        for constraint in query.constraints
    ]
    for aim in query.objectives:
        value = _normalised(row, aim.column, base)
        best = 0.0 if value is None else 1 - value if aim.direction == "min" else value
        terms.append(aim.weight * best)
    return terms


def _satisfaction(row, constraint, base) -> float:
    if constraint.op not in ("<", "<=", ">", ">="):
        return float(met(row, constraint))
    value = _normalised(row, constraint.column, base)
    if value is None:
        return 0.0
    return value if constraint.op in (">", ">=") else 1 - value


def _normalised(row, column, base) -> float | None:
    known = [number(constraint[column]) for constraint in base if constraint[column] is not None]
    if row[column] is None:
        return None
    low, high = min(known), max(known)
    return 1.0 if low == high else (number(row[column]) - low) / (high - low)


def _undominated(row, candidates, query, base) -> bool:
    own = [t / w for t, w in _weighed(row, query, base)]
    for other in candidates:
        theirs = [t / w for t, w in _weighed(other, query, base)]
        if all(a >= b for a, b in zip(theirs, own, strict=True)) and theirs != own:
            return False
    return True


def _weighed(row, query, base):
    """Return satisfactions with weight 1, so that constraints of weight 0 count as well."""
    unweighed = Query(
        base=query.base,
        constraints=[
            Constraint.model_validate(c.record() | {"weight": 1.0}) for c in query.constraints
        ],
        objectives=[o.model_copy(update={"weight": 1.0}) for o in query.objectives],
    )
    return [(term, 1.0) for term in _terms(row, unweighed, base)]


def test_ties_go_to_the_lower_price_then_to_the_first_row():
    table = pa.table({"name": ["x", "y", "z", "x"], "price": [5, 3, 3, None]})
    query = Query(constraints=[Constraint(column="name", op="!=", value="q")])
    answer = RepairEngine(Catalog.open(table)).repair(query)
    assert [item.row_id for item in answer.items] == [1, 2, 0, 3]
