"""Writes to a catalog large enough for kernels: what is taken over is what would be found anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from concede import Catalog, Constraint, Query, RepairEngine
from concede.catalogs.vectors.quantized_column import bucketed
from concede.catalogs.versions.snapshot import Snapshot

ROWS = 70_000
COLUMNS = ("price", "ratio", "day")


def shop() -> pa.Table:
    dice = np.random.default_rng(3)
    return pa.table(
        {
            "sku": np.arange(ROWS),
            "price": dice.integers(1, 10_000, ROWS),
            "ratio": pa.array(dice.random(ROWS), mask=dice.random(ROWS) < 0.05),
            "day": pa.array(dice.integers(18_000, 20_000, ROWS), pa.int32()).cast(pa.date32()),
            "kind": [f"k{integer}" for integer in dice.integers(0, 20, ROWS)],
            "half": dice.integers(0, 2, ROWS).astype(bool),
        }
    )


def query(base: Constraint | None, price: int) -> Query:
    return Query(
        base=() if base is None else (base,),
        constraints=(
            Constraint(column="price", op="<=", value=price, weight=0.4),
            Constraint(column="ratio", op=">=", value=0.995, weight=0.6),
            Constraint(column="day", op=">=", value="2024-09-20", weight=0.7),
            Constraint(column="kind", op="!=", value="k3", weight=0.2),
        ),
    )


BASES = (
    None,
    Constraint(column="kind", op="==", value="k1"),
    Constraint(column="half", op="==", value=True),
    Constraint(op="sql", value="kind LIKE '%7'"),
)
QUERIES = [query(base, price) for base in BASES for price in (9, 300)]


def rows_of(dice: np.random.Generator, skus: np.ndarray, *, all_columns: bool) -> list[Any]:
    prices = dice.integers(1, 12_000, len(skus)).tolist()
    rows: list[Any] = [{"sku": s, "price": p} for s, p in zip(skus.tolist(), prices, strict=True)]
    if all_columns:
        for row in rows:
            row["ratio"] = None if dice.random() < 0.2 else float(dice.random())
            row["kind"] = f"k{dice.integers(0, 22)}"
            row["day"] = f"2024-0{dice.integers(1, 9)}-11"
            row["half"] = bool(dice.random() < 0.5)
    return rows


def outline(snapshot: Snapshot) -> list[Any]:
    """Answers, rows by their place among all; what tells the two catalogs apart left out."""
    places = {row_id: i for i, row_id in enumerate(snapshot.row_ids(snapshot.slice(()).ids))}
    engine, found = RepairEngine(snapshot, threads=1), list[Any]()
    for query in QUERIES:
        answer = engine.repair(query)
        record = answer.model_dump(exclude={"catalog_version", "sql", "elapsed_ms"})
        for item in (*record["items"], *record["near_misses"]):
            item["row_id"] = places[item["row_id"]]
        for repair in (*record["repairs"], *record["shifts"]):
            del repair["sql"]
        found.append(record)
    return found


def assert_consistent(now: Snapshot, afresh: Snapshot) -> None:
    numbers = now.slice(()).ids
    for name in COLUMNS:
        copy = now.number_copy(name)
        expected = afresh.numbers(name)
        assert np.array_equal(copy.values[numbers], expected, equal_nan=True)
        assert now.ends(name) == afresh.ends(name)
        edges, octets = copy.buckets.edges, copy.buckets.octets
        assert np.array_equal(octets, bucketed(edges, copy.values))
        for low, high in np.sort(np.random.default_rng(1).choice(expected, (4, 2)), axis=1):
            rows = now.vectors.bounds(name).between((low, high))
            inside = (expected >= low) & (expected <= high)
            assert np.array_equal(rows.within(numbers), inside)
    for base in BASES[1:]:
        found = now.base_slice([now.bind(base)])  # type: ignore[arg-type]
        expected = afresh.base_slice([afresh.bind(base)])  # type: ignore[arg-type]
        assert np.array_equal(np.flatnonzero(np.isin(numbers, found.rows.ids)), expected.rows.ids)
        if found.is_compact:
            edges, octets = found.buckets("price")
            assert np.array_equal(octets, bucketed(edges, found.numbers("price")))
    assert outline(now) == outline(afresh)


STEPS = (
    *("price only", "reload", "all columns", "delete", "new rows", "compact", "price only"),
    *("reload", "delete"),
)


@pytest.mark.slow
def test_a_large_catalog_written_to_is_one_opened_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    # One index after another is made anew by these few writes already.
    monkeypatch.setattr("concede.catalogs.versions.next_snapshot.MISSED", 2)
    dice = np.random.default_rng(5)
    catalog = Catalog.open(shop(), key="sku")
    catalog.warm()
    next_sku = ROWS
    outline(catalog.snapshot())
    for step in STEPS:
        skus = dice.choice(next_sku, 300, replace=False)
        if step == "delete":
            numbers = dice.choice(catalog.slice(()).ids, 300, replace=False)
            # The greatest price goes too, so that an end has to be found anew.
            dearest = int(np.nanargmax(catalog.numbers("price")))
            ids = {*catalog.row_ids(numbers), *catalog.row_ids([dearest])}
            catalog.delete(sorted(ids))
        elif step == "new rows":
            skus = np.arange(next_sku, next_sku + 500)
            next_sku += 500
            catalog.upsert(rows_of(dice, skus, all_columns=True))
        elif step == "reload":
            rows = _sorted(catalog.snapshot())
            for place in dice.integers(0, len(rows), 200):
                rows[place]["price"] = 77
            catalog.reload(pa.Table.from_pylist(rows, shop().schema))
        elif step == "compact":
            catalog.compact()
        else:
            catalog.upsert(rows_of(dice, skus, all_columns=step == "all columns"))
        now = catalog.snapshot()
        afresh = Catalog.open(pa.Table.from_pylist(_sorted(now), shop().schema)).snapshot()
        assert_consistent(now, afresh)


def _sorted(now: Snapshot) -> list[Any]:
    """The rows as DuckDB holds them, in the order of their ids."""
    found = now.cursor().execute(f"SELECT * FROM {now.rows_clause} ORDER BY {now.row_id}")
    names = [entry[0] for entry in found.description or []]
    return [dict(zip(names[1:], row[1:], strict=True)) for row in found.fetchall()]
