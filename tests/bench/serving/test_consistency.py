"""Trials of a running service from outside, and whether they would notice a fault."""

import pyarrow as pa
import pytest

from concede.bench.serving.consistency import Consistency, try_consistency
from concede.bench.serving.outside_twin import Judged, is_right, rows_of
from concede.bench.serving.own_writes import OwnWrites
from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.query import Query
from concede.engine.repair_engine import RepairEngine


@pytest.mark.slow
def test_a_service_stands_every_trial():
    seen = try_consistency(500, 3, 2, lambda trials, doing: iter(trials), twin_seconds=2.0)
    assert seen.clean, seen
    assert [(each.workers, each.others) for each in seen.own_writes] == [
        (1, 8), (1, 32), (2, 8), (2, 32),
    ]  # fmt: skip
    assert [each.workers for each in seen.judged] == [1, 2]
    assert all(each.answers and each.writes for each in seen.judged)
    assert sum(seen.killed.kills.values()) == 2


@pytest.mark.parametrize(
    "seen",
    [
        Consistency(own_writes=[OwnWrites(1, 8, 9, 1, 0, 1.0, 1.0, 1.0, 1.0)]),
        Consistency(judged=[Judged(1, answers=9, wrong=1)]),
        Consistency(judged=[Judged(2, answers=9, failed=1)]),
    ],
)
def test_one_fault_is_enough(seen):
    assert not seen.clean
    assert Consistency().clean


def answered(rows, price, colour):
    """Return what the engine answers over some rows, as HTTP tells it."""
    columns = {name: [row[name] for row in rows.values()] for name in ("sku", "price", "colour")}
    wishes = [
        Constraint(column="price", op="<=", value=price),
        Constraint(column="colour", op="==", value=colour),
    ]
    engine = RepairEngine(Catalog.open(pa.table(columns), key="sku"))
    return engine.repair(Query(constraints=wishes), top=100).record()


def test_the_twin_knows_a_right_answer_from_those_of_other_rows():
    rows, others = rows_of(0), rows_of(1)
    for price in (8, 20, 400):
        told = answered(rows, price, "red")
        assert is_right((price, "red"), told, rows)
        assert not is_right((price, "red"), told, others)
        assert not is_right((price, "red"), told | {"drop_one_counts": [0, 0]}, rows)
