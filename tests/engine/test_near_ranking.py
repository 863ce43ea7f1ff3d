"""Items nearest to the bounds that gave way, against a sort of plain rows."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Answer, Catalog, Constraint, Query, RepairEngine
from concede.catalogs.errors import QueryError
from concede.engine.policies import POLICIES
from shops import met, shop, violation, wish

SHOPS = {size: shop(17, size) for size in (1, 25, 80)}


@given(
    st.sampled_from(sorted(SHOPS)),
    st.integers(0, 10**6),
    st.integers(1, 6),
    st.sampled_from(sorted(POLICIES)),
    st.booleans(),
)
def test_the_nearest_come_first_then_the_best(size, seed, count, policy, grouped):
    store, query = SHOPS[size], wish(seed, count, hard=0.1, grouped=grouped)
    engine = RepairEngine(store.catalog)
    every = engine.repair(query, top=1_000, policy=policy, rank="score")
    answer = engine.repair(query, top=4, policy=policy)
    assert answer.rank == ("near" if answer.relaxed else "score")
    assert answer.count == every.count == len(every.items)
    base = [row for row in store.rows if all(met(row, constraint) for constraint in query.base)]
    # `every` is in the order of the score and its tie-breaks, and sorting is stable.
    nearest = sorted(every.items, key=lambda item: round(violation(item.row, query, base) * 10**12))
    assert [item.row_id for item in answer.items] == [item.row_id for item in nearest[:4]]
    for item in answer.items:
        assert item.violation == pytest.approx(violation(item.row, query, base), abs=1e-12)
    assert answer.items == tuple(nearest[:4])


def shoppers_answer(**options: object) -> Answer:
    """Return what is offered to somebody who asks for a price of at most 500."""
    table = {"name": ["a", "b", "c"], "price": [2_858, 2_199, 2_500], "year": [2026, 2010, 2018]}
    price = Constraint(column="price", op="<=", value=500, weight=0.1)
    year = Constraint(column="year", op=">=", value=2_005, weight=0.9)
    engine = RepairEngine(Catalog.open(pa.table(table)))
    return engine.repair(Query(constraints=[price, year]), **options)


def test_who_asked_for_500_is_shown_2199_before_2858():
    prices = [item.row["price"] for item in shoppers_answer().items]
    assert prices == [2_199, 2_500, 2_858]
    by_score = shoppers_answer(rank="score")
    assert [item.row["price"] for item in by_score.items] == [2_858, 2_500, 2_199]
    assert by_score.rank == "score"


def test_the_formula_stays_for_what_matches_as_asked():
    query = Query(constraints=[Constraint(column="price", op="<=", value=1_500)])
    engine = RepairEngine(SHOPS[80].catalog)
    asked, near = engine.repair(query), engine.repair(query, rank="near")
    assert (asked.rank, near.rank) == ("score", "near")
    assert asked.items == near.items
    assert {item.violation for item in asked.items} == {0.0}


def test_sums_of_weights_tie_as_a_person_sees_them():
    columns = {"d": [0, 0], "a": [0, 1], "b": [0, 1], "c": [1, 0]}
    weights = {"d": 0.0, "a": 0.1, "b": 0.2, "c": 0.3}
    constraints = [
        Constraint(op="sql", value=f"{name} = 1", weight=weight) for name, weight in weights.items()
    ]
    # The last gives way first; nobody meets the first, so all do.
    answer = RepairEngine(Catalog.open(pa.table(columns))).repair(
        Query(constraints=constraints), policy="priority"
    )
    assert [item.violation for item in answer.items] == [0.3, 0.3]
    # 0.1 + 0.2 is more than 0.3 in binary; both are equally near, and the score decides.
    scores = [item.score for item in answer.items]
    assert scores == sorted(scores, reverse=True)
    assert [item.row_id for item in answer.items] == [1, 0]


def test_an_order_that_does_not_exist_is_refused():
    with pytest.raises(QueryError, match="no rank 'nearest'") as refusal:
        shoppers_answer(rank="nearest")
    assert refusal.value.hint == "ranks: score, near"
