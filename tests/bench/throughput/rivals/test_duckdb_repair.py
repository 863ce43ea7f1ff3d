"""Plain SQL gives the engine's answer, or refuses."""

from __future__ import annotations

import random

import pytest

from concede.bench.throughput.comparison import alike
from concede.bench.throughput.repair import (
    answer_of_duckdb,
    answer_of_engine,
    whole_of_duckdb,
    whole_of_engine,
)
from concede.bench.throughput.rivals.duckdb_repair import DuckDbRepair
from concede.bench.throughput.rivals.duckdb_whole_repair import WholeDuckDbRepair
from concede.bench.throughput.shop import Shop
from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import QueryError
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.query import Query
from concede.engine.repair_engine import RepairEngine


def both(catalog: Catalog, query: Query, top: int):
    engine = RepairEngine(catalog).repair(query, top=top)
    return answer_of_engine(engine), answer_of_duckdb(DuckDbRepair(catalog, query, top).run())


@pytest.fixture(scope="module")
def shop() -> Shop:
    return Shop(5_000, 7)


@pytest.mark.parametrize("base", [False, True])
@pytest.mark.parametrize("tighter", [0, 5])
def test_the_repair_of_the_benchmark_is_the_same_both_ways(shop, base, tighter):
    ours, theirs = both(shop.catalog, shop.query(base=base, tighter=tighter), 10)
    assert theirs == ours
    assert len(theirs["repairs"]) > 1
    assert len(theirs["near misses"]) == 10


@pytest.mark.parametrize("base", [False, True])
@pytest.mark.parametrize("tighter", [0, 5])
def test_the_whole_answer_is_the_same_both_ways(shop, base, tighter):
    query = shop.query(base=base, tighter=tighter)
    text = WholeDuckDbRepair(shop.catalog, query, 10).run()
    ours = whole_of_engine(RepairEngine(shop.catalog).repair(query, top=10))
    assert alike(whole_of_duckdb(text), {"whole": ours})
    assert ours["shifts"]
    assert ours["conflicts"]


def _random_query(dice: random.Random, shop: Shop) -> Query:
    row = dice.choice(shop.catalog.fetch(range(50)))
    columns = dice.sample(list(row), dice.randint(1, 6))
    constraints = [
        Constraint(
            column=name,
            op="==" if isinstance(row[name], str) else dice.choice(["<=", ">=", "<", ">", "=="]),
            value=row[name],
            weight=dice.choice([None, 0.1, 0.25, 0.5, 0.9]),
        )
        for name in columns
    ]
    category = f"category {dice.randrange(9)}"
    base = [Constraint(column="category", op="==", value=category)]
    return Query(base=tuple(base) if dice.random() < 0.5 else (), constraints=tuple(constraints))


@pytest.mark.parametrize("seed", range(25))
def test_random_queries_have_the_same_answer_both_ways(shop, seed):
    dice = random.Random(seed)
    ours, theirs = both(shop.catalog, _random_query(dice, shop), dice.choice([1, 3, 10]))
    assert theirs == ours


@pytest.mark.parametrize(
    "constraint",
    [
        Constraint(column="price", op="between", value=[1, 2]),
        Constraint(column="price", op="<=", value=2, hard=True),
        Constraint(column="price", op="<=", value=2, group="g"),
        Constraint(op="sql", value="price > 3"),
    ],
)
def test_what_the_statements_cannot_say_is_refused(shop, constraint):
    with pytest.raises(QueryError, match="plain SQL"):
        DuckDbRepair(shop.catalog, Query(constraints=(constraint,)), 5)
