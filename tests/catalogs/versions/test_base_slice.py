"""A base slice holds its rows, columns and sets by place, whatever numbering it has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.deadline import DeadlinePassed
from concede.catalogs.errors import UnknownColumn
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.vectors import kernel_use
from concede.catalogs.vectors.quantized_column import bucketed
from concede.catalogs.versions import (
    change_log as history,
)
from concede.catalogs.versions.base_slice import BaseSlice
from concede.solvers.bitset import BitsetSolver
from concede.solvers.limits import Budget
from concede.solvers.problem import bind_problem
from counted_looks import ends_after


def catalog_of(count: int) -> Catalog:
    dice = np.random.default_rng(count)
    missing = dice.random(count) < 0.1
    return Catalog.open(
        pa.table(
            {
                "price": pa.array(dice.lognormal(3, 1, count), mask=missing),
                "shelf": dice.integers(0, 20, count),
            }
        )
    )


def base_of(catalog: Catalog, shelves: int) -> BaseSlice:
    kept = [catalog.bind(Constraint(column="shelf", op="<", value=shelves))]
    return catalog.base_slice(kept if shelves < 20 else [])


@pytest.mark.parametrize("shelves", [20, 12, 1])
def test_row_sets_are_not_stacked_past_a_deadline(shelves):
    catalog = catalog_of(70_000)
    base = base_of(catalog, shelves)
    prices = [catalog.bind(Constraint(column="price", op="<", value=n)) for n in (3, 9, 27)]
    sets = [catalog.rows(predicate) for predicate in prices]
    with pytest.raises(DeadlinePassed):
        base.stack(sets, ends_after(2))
    assert np.array_equal(base.stack(sets, ends_after(9)), base.stack(sets))


@pytest.mark.parametrize("shelves", [20, 12, 1])
@pytest.mark.parametrize("count", [1, 64, 1_000, 70_000])
def test_a_slice_holds_the_columns_of_its_rows(count, shelves):
    catalog = catalog_of(count)
    base = base_of(catalog, shelves)
    rows = np.flatnonzero(catalog.numbers("shelf") < shelves)
    assert base.rows.ids.tolist() == rows.tolist()
    places = np.arange(base.size) if base.is_compact else rows
    assert base.row_ids(places).tolist() == rows.tolist()
    prices = catalog.numbers("price")[rows]
    assert np.array_equal(base.numbers("price")[places], prices, equal_nan=True)
    edges, octets = base.buckets("price")
    assert np.array_equal(octets[places], bucketed(edges, prices))
    known = prices[~np.isnan(prices)]
    assert base.ends("price") == ((known.min(), known.max()) if len(known) else None)
    sample, step = base.sample
    assert sample.tolist() == [place for place in places.tolist() if place % step == 0]
    assert np.array_equal(
        base.sample_numbers("price").doubles(), base.numbers("price")[sample], equal_nan=True
    )


@pytest.mark.parametrize("shelves", [20, 12, 1])
@pytest.mark.parametrize("count", [1, 64, 1_000, 70_000])
def test_a_stack_says_which_places_are_in_which_set(count, shelves):
    catalog = catalog_of(count)
    base = base_of(catalog, shelves)
    wishes = [("price", "<", 20.0), ("shelf", "==", 0), ("price", ">", 1e9)]
    asked = [catalog.bind(Constraint(column=c, op=op, value=v)) for c, op, v in wishes]
    stack = base.stack([catalog.rows(entry) for entry in asked])
    assert stack.dtype == np.uint64
    assert stack.shape == (3, len(base.words))
    bits = np.unpackbits(stack.view(np.uint8), axis=1, bitorder="little")[:, : base.size]
    prices, shelf = base.numbers("price"), base.numbers("shelf")
    assert bits.astype(bool).tolist() == [
        (prices < 20).tolist(), (shelf == 0).tolist(), [False] * base.size
    ]  # fmt: skip


OPS = [
    *((op, value) for op in ("<", "<=", ">", ">=", "==", "!=") for value in (20.0, 20.09, 3, -1)),
    ("between", (10.5, 20.09)),
    ("between", (20.09, 10.5)),
    ("in", (3, 7, 1e9)),
    ("is null", None),
]


@pytest.mark.parametrize("column", ["price", "shelf", "cents", "day", "kind"])
@pytest.mark.parametrize("nulls", ["reject", "match"])
def test_a_small_slice_finds_its_places_as_the_catalog_finds_its_rows(small, column, nulls):
    catalog, base = small
    found = 0
    for op, value in OPS:
        given = None if value is None else AS_GIVEN[column](value)
        predicate = catalog.bind(Constraint(column=column, op=op, value=given, nulls=nulls))
        met = base.met(predicate)
        if met is None:
            continue
        found += 1
        expected = base.stack([catalog.rows(predicate)])[0]
        assert base.stack([met])[0].tolist() == expected.tolist(), (op, given)
    assert bool(found) == (column != "kind" and nulls == "reject")


AS_GIVEN = dict.fromkeys(("price", "shelf", "cents"), lambda value: value) | {
    "day": lambda value: ["2024-03-01", "2024-09-01"] if isinstance(value, tuple) else "2024-05-07",
    "kind": lambda value: list(map(str, value)) if isinstance(value, tuple) else str(value),
}


@pytest.fixture(scope="module")
def small() -> Iterator[tuple[Catalog, BaseSlice]]:
    count, dice = 70_000, np.random.default_rng(6)
    missing = dice.random(count) < 0.1
    days = pa.array(dice.integers(19_700, 20_200, count), pa.int32()).cast(pa.date32())
    columns = {
        "price": pa.array(dice.lognormal(3, 1, count), mask=missing),
        "shelf": dice.integers(0, 40, count),
        "cents": pa.array(dice.lognormal(3, 1, count).round(2)).cast(
            pa.decimal128(9, 2), safe=False
        ),
        "day": days,
        "kind": dice.choice(["a", "3", "20.0"], count),
        "sku": range(count),
    }
    with pytest.MonkeyPatch.context() as patch, Catalog.open(pa.table(columns), key="sku") as shop:
        patch.setenv("CONCEDE_KERNELS", "wait")
        shop.delete([5, 60_000])
        shop.warm()
        base = shop.base_slice([shop.bind(Constraint(column="shelf", op="==", value=3))])
        assert base.is_compact
        yield shop, base


def test_a_small_slice_reads_no_other_row(small, monkeypatch):
    catalog, _ = small
    base = [Constraint(column="shelf", op="==", value=7)]
    asked = [Constraint(column=name, op="<=", value=20) for name in ("price", "cents")]
    problem = bind_problem(catalog, base, asked)
    _ = problem.slice
    monkeypatch.setattr(problem.catalog, "rows", lambda *_: pytest.fail("read all rows"))
    solver = BitsetSolver()
    histogram = solver.histogram(problem, Budget(None))
    assert histogram.rows == len(problem.slice.rows)
    count, _ = solver.count(problem, Budget(None))
    assert (
        count
        == histogram.count_mask(histogram.full)
        == catalog.count([catalog.bind(each) for each in (*base, *asked)])
    )


WRITTEN = st.lists(
    st.one_of(
        # Rows by key, of the slice, of others and new: their shelf and price.
        st.lists(
            st.tuples(
                st.one_of(st.sampled_from(range(3, 300, 25)), st.integers(0, 330)),
                st.sampled_from([3, 3, 4]),
                st.sampled_from([None, 0.5, 3.0, 1e9, -1e9]),
            ),
            min_size=1,
            max_size=4,
        ),
        st.sampled_from(range(3, 300, 25)),
    ),
    min_size=1,
    max_size=5,
)


def test_a_slice_carried_over_is_a_slice_made_anew():
    dice = np.random.default_rng(5)
    prices = dice.lognormal(3, 1, 300)
    prices[::7] = np.inf
    rows = pa.table({"sku": np.arange(300), "shelf": np.arange(300) % 25, "price": prices})
    carried = Counter[bool]()

    @given(WRITTEN, st.booleans())
    def after(writes, looks_each_time):
        with Catalog.open(rows, key="sku") as catalog:
            base = [catalog.bind(Constraint(column="shelf", op="==", value=3))]
            for _ in range(2):
                # It is kept from the second time on that it is asked for.
                gathered(catalog.base_slice(base))
            for write in writes:
                if isinstance(write, int):
                    catalog.delete([write])
                else:
                    columns = ("sku", "shelf", "price")
                    catalog.upsert([dict(zip(columns, entry, strict=True)) for entry in write])
                if looks_each_time or write is writes[-1]:
                    now = catalog.snapshot()
                    found, anew = now.base_slice(base), BaseSlice(now.vectors, now.slice(base))
                    carried["price" in found._numbers] += 1
                    assert found.rows == anew.rows
                    assert gathered(found) == gathered(anew)

    with pytest.MonkeyPatch.context() as patch:
        small_slices(patch)
        after()
    assert carried[True] > carried[False]


def gathered(base: BaseSlice) -> object:
    """What a slice says of its columns; it gathers them for that."""
    known = base.ends("price"), base.ends("shelf")
    prices, (edges, octets) = base.numbers("price"), base.buckets("price")
    # As text, for NaN equals nothing.
    return known, repr(prices.tolist()), edges.tolist(), octets.tolist(), base.sample[0].tolist()


def small_slices(patch: pytest.MonkeyPatch) -> None:
    """Have small catalogs take the ways of large ones."""
    patch.setattr(kernel_use, "KERNEL_ROWS", -1)
    patch.setattr(history, "SHARE", 1)


def test_an_older_version_keeps_its_slices(monkeypatch):
    small_slices(monkeypatch)
    rows = pa.table({"sku": np.arange(300), "shelf": np.arange(300) % 25})
    with Catalog.open(rows, key="sku") as catalog:
        base = [catalog.bind(Constraint(column="shelf", op="==", value=3))]
        older = catalog.snapshot()
        once = older.base_slice(base).numbers("sku")
        numbers = older.base_slice(base).numbers("sku")
        assert numbers is not once
        catalog.upsert([{"sku": 3, "shelf": 4}])
        assert len(catalog.base_slice(base).rows) == 11
        assert older.base_slice(base).numbers("sku") is numbers


def test_columns_that_are_not_in_memory_are_not_read_to_be_carried_over(monkeypatch):
    small_slices(monkeypatch)
    names = [f"c{place}" for place in range(6)]
    rows = {"sku": np.arange(300), "shelf": np.arange(300) % 25}
    rows |= {name: np.arange(300.0) + place for place, name in enumerate(names)}
    with Catalog.open(pa.table(rows), key="sku", column_bytes=3 * 2_400) as catalog:
        base = [catalog.bind(Constraint(column="shelf", op="==", value=3))]
        for name in names:
            catalog.base_slice(base).buckets(name)
            catalog.base_slice(base).numbers(name)
        catalog.upsert([{"sku": 3, "c0": 9.0, "c5": 9.0}])
        now = catalog.snapshot()
        read: list[str] = []
        reading = now.vectors.store._read_numbers

        def counted(columns, *until):
            read.extend(column.name for column in columns)
            return reading(columns, *until)

        monkeypatch.setattr(now.vectors.store, "_read_numbers", counted)
        found = now.base_slice(base)
        assert read in ([], ["shelf"])
        assert 0 < len(found._numbers) < len(names)
        for name in names:
            assert found.numbers(name).tolist() == catalog.numbers(name)[3::25].tolist()


def test_a_slice_outlives_its_columns(monkeypatch):
    rows = {"shelf": np.arange(40) % 20, "price": np.arange(40.0), "weight": np.arange(40.0)}
    small_slices(monkeypatch)
    with Catalog.open(pa.table(rows)) as catalog:
        base = [catalog.bind(Constraint(column="shelf", op="==", value=3))]
        before = catalog.base_slice(base)
        for name in ("price", "weight"):
            before.numbers(name)
            before.buckets(name)
        del rows["weight"]
        catalog.reload(pa.table(rows))
        assert catalog.base_slice(base).numbers("price").tolist() == [3.0, 23.0]
        with pytest.raises(UnknownColumn):
            catalog.base_slice(base).numbers("weight")


@pytest.mark.parametrize("count", [100, 70_000])
def test_a_bucket_is_the_number_of_edges_up_to_a_value(count):
    dice = np.random.default_rng(count)
    values = dice.normal(0, 3, count).round(1)
    values[:5] = np.nan, np.inf, -np.inf, 0.0, -0.0
    for edges in (np.unique(values[7:60]), np.array([0.0]), np.zeros(0)):
        found = bucketed(edges, values)
        assert found[0] == 255
        expected = [int((edges <= value).sum()) for value in values[1:200]]
        assert found[1:200].tolist() == expected
