"""An answer that is said to stand is the one the next version gives, to the byte."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede import Catalog, Constraint, Objective, Query, RepairEngine
from concede.engine import plan
from concede.engine.answer_json import renewed, write_answer

KINDS = ["a", "b", "c", "d"]
MAKERS = [f"maker {place}" for place in range(6)]


def cells(dice: np.random.Generator, count: int) -> dict[str, list[Any]]:
    """Return columns of few and of many values, with holes."""
    return {
        "price": dice.lognormal(3, 1, count).round(2).tolist(),
        "rating": [None if one > 50 else one / 10 for one in dice.integers(0, 53, count).tolist()],
        "size": dice.random(count).round(3).tolist(),
        "year": dice.integers(1990, 2026, count).tolist(),
        "kind": [[*KINDS, None][one] for one in dice.integers(0, 5, count).tolist()],
        "maker": [MAKERS[one] for one in dice.integers(0, 6, count).tolist()],
    }


def catalog_of(seed: int, count: int) -> Catalog:
    columns = {"sku": list(range(count)), **cells(np.random.default_rng(seed), count)}
    catalog = Catalog.open(pa.table(columns), key="sku")
    catalog.warm()
    # From the first write on SQL texts name another table.
    catalog.upsert([{"sku": 0, "year": 1989}])
    return catalog


def query_of(dice: random.Random) -> Query:
    wishes: list[tuple[str, str, Any]] = [
        ("price", "<=", round(dice.uniform(1, 60), 2)),
        ("price", "<", 5.0),
        ("rating", ">=", dice.choice([0.5, 3.0, 4.8])),
        ("rating", "!=", 2.0),
        ("size", "between", [0.5, dice.choice([0.501, 0.6, 0.9])]),
        ("size", ">", dice.random()),
        ("year", "==", dice.randrange(1990, 2026)),
        ("year", ">=", dice.randrange(1990, 2030)),
        ("year", "in", [1995, 2001, 2025]),
        ("kind", "==", dice.choice(KINDS)),
        ("kind", "in", dice.sample(KINDS, 2)),
        ("kind", "not in", dice.sample(KINDS, 2)),
        ("kind", "is null", None),
        ("rating", "is not null", None),
        ("maker", "!=", "maker 1"),
    ]
    chosen = dice.sample(wishes, dice.randrange(1, 7))
    constraints = [
        Constraint(
            column=column,
            op=op,
            value=value,
            weight=dice.choice([None, 0.0, 0.3, 0.9]),
            hard=dice.random() < 0.1,
            nulls=dice.choice(["match", "reject", "reject", "reject"]),
        )
        for column, op, value in chosen
    ]
    base = [Constraint(column="maker", op="==", value=dice.choice(MAKERS))]
    aims = [Objective(column="price", direction="min", weight=0.4)]
    return Query(
        base=base if dice.random() < 0.6 else [],
        constraints=constraints,
        objectives=aims if dice.random() < 0.3 else [],
    )


def write(catalog: Catalog, dice: random.Random) -> None:
    kind, size = dice.randrange(4), dice.choice([1, 1, 2, 5])
    if kind == 0:
        catalog.delete(dice.sample(range(catalog.snapshot().facts.numbering.next_id), size))
        return
    drawn = cells(np.random.default_rng(dice.randrange(2**32)), size)
    names = dice.sample(sorted(drawn), dice.randrange(1, 7)) if kind == 1 else list(drawn)
    skus = [dice.randrange(400) for _ in range(size)]
    catalog.upsert(
        [{"sku": skus[row], **{name: drawn[name][row] for name in names}} for row in range(size)]
    )


@pytest.mark.parametrize("policy", ["least-weight", "cumulative", "single"])
def test_what_stands_is_what_would_be_answered(monkeypatch, policy):
    monkeypatch.setattr(plan, "KERNEL_ROWS", -1)
    ended = {"stands": 0, "stands, counted anew": 0, "does not": 0}

    @settings(max_examples=80, deadline=None)
    @given(st.integers(0, 2**32), st.sampled_from([40, 300]), st.sampled_from([1, 2, 5]))
    def check(seed: int, rows: int, top: int) -> None:
        dice = random.Random(seed)
        catalog = catalog_of(seed, rows)
        engine = RepairEngine(catalog)
        for query in [query_of(dice) for _ in range(4)]:
            first, standing = engine.repair_standing(query, top=top, policy=policy)
            body, version = write_answer(first), first.catalog_version
            for _ in range(3):
                write(catalog, dice)
                if dice.random() < 0.3:
                    continue
                now, fresh = engine.repair_standing(query, top=top, policy=policy)
                later = standing and standing.at(catalog)
                if later is None:
                    ended["does not"] += 1
                    body, version, standing = write_answer(now), now.catalog_version, fresh
                    continue
                body, version, standing = renewed(body, version, later), later.version, later
                ended["stands, counted anew" if later.satisfied else "stands"] += 1
                assert body == write_answer(now)
                assert fresh is not None
                assert (later.counts == fresh.counts).all()

    check()
    assert min(ended.values()) > 20, ended


@pytest.fixture
def lamps(monkeypatch) -> Catalog:
    monkeypatch.setattr(plan, "KERNEL_ROWS", -1)
    rows = [
        {"sku": number, "price": 10 + number, "watts": number % 7, "name": f"lamp {number % 3}"}
        for number in range(100)
    ]
    catalog = Catalog.open(pa.Table.from_pylist(rows), key="sku")
    catalog.warm()
    catalog.upsert([{"sku": 50, "price": 61}])
    return catalog


CHEAP = Query(constraints=[Constraint(column="price", op="<=", value=5)])
CHEAP_AND_DIM = Query(
    constraints=[*CHEAP.constraints, Constraint(column="watts", op="==", value=3)]
)


def test_a_row_that_comes_nearer_ends_it(lamps):
    _, standing = RepairEngine(lamps).repair_standing(CHEAP, top=2)
    assert standing is not None
    lamps.upsert([{"sku": 90, "price": 80}])
    assert standing.at(lamps) is None
    # Every lamp is let in where the price gives way, so each is counted.
    _, standing = RepairEngine(lamps).repair_standing(CHEAP_AND_DIM, top=2)
    assert standing is not None
    lamps.upsert([{"sku": 92, "price": 81}])
    later = standing.at(lamps)
    assert later is not None
    lamps.upsert([{"sku": 92, "price": 6}])
    assert later.at(lamps) is None


def test_a_way_that_nobody_showed_before_ends_it(monkeypatch):
    monkeypatch.setattr(plan, "KERNEL_ROWS", -1)
    rows = [{"sku": number, "price": 6.0, "size": 6.0} for number in range(40)]
    # The scales reach beyond all that comes.
    rows[0] |= {"price": 100.0, "size": 100.0}
    rows[3] |= {"price": 1.0, "size": 100.0}
    catalog = Catalog.open(pa.Table.from_pylist(rows), key="sku")
    catalog.warm()
    catalog.upsert([{"sku": 1, "size": 7.0}])
    asked = Query(
        constraints=[
            Constraint(column="price", op="<=", value=5),
            Constraint(column="size", op="<=", value=5),
        ]
    )
    engine = RepairEngine(catalog)
    first, standing = engine.repair_standing(asked, top=4)
    assert standing is not None
    assert len(first.shifts) == 2
    # Farther than all that are shown as near, but nearer in price than any.
    catalog.upsert([{"sku": 99, "price": 5.5, "size": 60.0}])
    assert len(engine.repair(asked, top=4).shifts) == 3
    assert standing.at(catalog) is None


def test_an_end_of_the_scale_that_goes_ends_it(lamps):
    _, standing = RepairEngine(lamps).repair_standing(CHEAP_AND_DIM, top=2)
    assert standing is not None
    # The dearest lamp, and the only one.
    lamps.upsert([{"sku": 99, "price": 100}])
    assert standing.at(lamps) is None


def test_a_text_that_nobody_had_is_not_looked_for_in_vain(lamps):
    asked = Query(
        base=[Constraint(column="name", op="==", value="lamp 9")],
        constraints=[Constraint(column="price", op="<=", value=50)],
    )
    _, standing = RepairEngine(lamps).repair_standing(asked)
    assert standing is None


@pytest.mark.parametrize("constraint", ["price % 2 = 0", "price + watts < 9"])
def test_nothing_tells_where_only_duckdb_evaluates(lamps, constraint):
    asked = Query(constraints=[Constraint(op="sql", value=constraint)])
    _, standing = RepairEngine(lamps).repair_standing(asked)
    assert standing is None


def test_nothing_stands_after_all_rows_are_others(lamps, tmp_path):
    _, standing = RepairEngine(lamps).repair_standing(CHEAP)
    assert standing is not None
    assert standing.at(lamps) is standing
    lamps.reload(pa.Table.from_pylist(lamps.fetch(range(100))))
    assert standing.at(lamps) is None


def test_an_older_version_has_its_own_answer(lamps):
    before = lamps.snapshot()
    lamps.upsert([{"sku": 3, "watts": 9}])
    _, standing = RepairEngine(lamps).repair_standing(CHEAP)
    assert standing is not None
    assert standing.at(before) is None
