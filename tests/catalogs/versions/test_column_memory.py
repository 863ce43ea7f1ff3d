"""What a catalog holds in memory: what was asked for, and no more than it may."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pyarrow as pa
import pytest

from concede import Catalog, Constraint, Query, RepairEngine
from concede.catalogs.deadline import NEVER
from concede.catalogs.versions import fetched_rows, snapshot_vectors
from concede.catalogs.versions.snapshot_state import ASKED

ROWS = 70_000


@pytest.fixture(autouse=True)
def kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCEDE_KERNELS", "wait")


def catalog_of(columns: int, **options: int) -> Catalog:
    dice = np.random.default_rng(columns)
    table = {f"n{place}": dice.random(ROWS) for place in range(columns)}
    return Catalog.open(pa.table(table | {"word": ["a", "b"] * (ROWS // 2)}), **options)


def held(catalog: Catalog) -> tuple[set[str], set[str], int]:
    """The columns copied, those indexed, and the bytes of both."""
    snapshot = catalog.snapshot()
    copies, _ = snapshot.vectors.store.in_memory()
    indexes = snapshot.shared.indexes
    total = sum(copy.nbytes for copy in copies.values()) + indexes.nbytes
    return set(copies), set(indexes), total


def test_a_catalog_of_few_columns_is_copied_and_indexed_when_warmed():
    catalog = catalog_of(3)
    catalog.warm()
    assert held(catalog)[:2] == ({"n0", "n1", "n2", "word"}, {"n0", "n1", "n2"})


def test_of_many_columns_only_those_named_are_indexed(monkeypatch):
    monkeypatch.setattr(snapshot_vectors, "WIDE", 3)
    catalog = catalog_of(5)
    catalog.warm()
    assert held(catalog)[:2] == ({*(f"n{place}" for place in range(5)), "word"}, set())
    catalog.warm(["N1", "word"])
    assert held(catalog)[1] == {"n1"}


def test_only_the_columns_named_are_copied():
    catalog = catalog_of(4)
    catalog.warm(["n2"])
    assert held(catalog)[:2] == ({"n2"}, {"n2"})


def test_a_column_asked_for_often_is_indexed_and_answers_the_same(monkeypatch):
    monkeypatch.setattr(snapshot_vectors, "WIDE", 1)
    catalog = catalog_of(2)
    catalog.warm()
    values, counts, indexed = catalog.numbers("n0"), set[bool](), list[bool]()
    for number in range(ASKED + 2):
        predicate = catalog.bind(Constraint(column="n0", op="<=", value=(number + 1) / 100))
        counts.add(len(catalog.rows(predicate)) == np.count_nonzero(values <= (number + 1) / 100))
        indexed.append("n0" in held(catalog)[1])
    assert counts == {True}
    assert indexed == sorted(indexed)
    assert (indexed[0], indexed[-1]) == (False, True)


def test_a_repair_without_indexes_is_the_repair_with_them(monkeypatch):
    wishes = (("n0", "<=", 0.01), ("n1", ">=", 0.995), ("n2", "<=", 0.003), ("word", "==", "a"))
    query = Query(
        constraints=tuple(Constraint(column=c, op=op, value=value) for c, op, value in wishes)
    )
    answers = list[dict[str, object]]()
    for wide in (1, 32):
        monkeypatch.setattr(snapshot_vectors, "WIDE", wide)
        catalog = catalog_of(3)
        catalog.warm()
        assert bool(held(catalog)[1]) == (wide == 32)
        answers.append(
            RepairEngine(catalog, threads=1).repair(query).model_dump(exclude={"elapsed_ms"})
        )
    assert answers[0] == answers[1]


def test_copies_buckets_and_indexes_all_count():
    bound = 3_000_000
    catalog = catalog_of(8, column_bytes=bound)
    for place in range(8):
        catalog.snapshot().vectors.bounds(f"n{place}")
        catalog.snapshot().vectors.buckets(f"n{place}")
        assert held(catalog)[2] <= bound
    copied, indexed, _ = held(catalog)
    assert indexed == {f"n{place}" for place in range(8)}
    assert "n7" in copied
    assert "n0" not in copied
    assert "n0" not in catalog.snapshot().vectors._bounds


def test_items_of_a_wide_catalog_copy_no_column(monkeypatch):
    monkeypatch.setattr(fetched_rows, "WIDE", 3)
    catalog = catalog_of(4)
    expected = catalog.fetch([5, 0])
    catalog.warm(["n1"])
    for _ in range(4):
        assert catalog.fetch([5, 0]) == expected
    assert held(catalog)[0] == {"n1"}


def test_rows_shown_come_from_memory_where_it_has_them_though_not_all_columns_fit(monkeypatch):
    catalog = catalog_of(3, column_bytes=25 * ROWS)
    catalog.warm()
    snapshot = catalog.snapshot()
    copied = held(catalog)[0]
    assert not snapshot.vectors.store.fits(snapshot.schema.columns)
    asked: list[str] = []
    reader = snapshot._reader
    in_duckdb = reader._in_duckdb

    def noted(names, row_ids):
        asked.extend(names)
        return in_duckdb(names, row_ids)

    monkeypatch.setattr(reader, "_in_duckdb", noted)
    rows = snapshot.fetch([5, 3, ROWS - 1])
    assert copied
    assert {*asked} == {*catalog.columns} - copied
    assert rows == [catalog.query(f"SELECT * FROM {catalog.name}")[i] for i in (5, 3, ROWS - 1)]


def test_a_catalog_is_freed_with_its_last_reader_and_not_by_the_collector():
    catalog = catalog_of(3)
    engine = RepairEngine(catalog, threads=1)
    base = (Constraint(column="n2", op="<=", value=0.05),)
    asked = [Constraint(column=name, op="<=", value=0.001) for name in ("n0", "n1", "n2")]
    engine.repair(Query(base=base, constraints=asked))
    engine.repair(Query(constraints=asked), deadline=0.03)
    catalog.warm()
    engine.prepare(Query(constraints=asked)).read(NEVER)
    engine.repair(Query(constraints=asked))
    freed = weakref.ref(catalog.snapshot().table)
    gc.collect()
    gc.disable()
    try:
        del engine, catalog
        assert freed() is None
    finally:
        gc.enable()
