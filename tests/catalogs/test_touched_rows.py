"""The rows a write touched: what they held before, what they hold after, and in which columns."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.catalogs import touched_rows
from concede.catalogs.catalog import Catalog
from concede.catalogs.column_copies import TextCopy
from live_twin import OTHERS, keyed_rows, padding, table_of


def opened(count: int = 60) -> Catalog:
    catalog = Catalog.open(table_of(padding(count)), key="sku")
    catalog.warm()
    return catalog


def as_read(catalog: Catalog, name: str) -> dict[int, float]:
    """Return a column as numbers by row id, texts by their codes."""
    snapshot = catalog.snapshot()
    copy = snapshot.copies.copy(snapshot.schema.find(name))
    numbers = snapshot.facts.numbering.rows.ids.astype(np.intp)
    held = copy.codes if isinstance(copy, TextCopy) else copy.values
    taken = held[numbers].astype(np.float64)
    if isinstance(copy, TextCopy):
        taken[held[numbers] == touched_rows.MAX_TEXTS] = np.nan
    return dict(zip(snapshot.row_ids(numbers), taken.tolist(), strict=True))


@settings(max_examples=60, deadline=None)
@given(keyed_rows(), st.lists(st.integers(0, 59), max_size=4), st.data())
def test_they_say_what_went_and_what_came(rows, gone, data):
    catalog = opened()
    catalog.upsert([{"sku": f"p{data.draw(st.integers(0, 59))}", "price": 7}])
    for write in (lambda: catalog.upsert(rows), lambda: catalog.delete(gone)):
        before = catalog.snapshot()
        if write() == before.version:
            continue
        (touched,) = catalog.snapshot().known.history.rows_between(before.version, catalog.version)
        for place, column in enumerate(before.schema.columns):
            if touched.known[place] is None:
                continue
            old, new = as_read(before, column.name), as_read(catalog, column.name)
            changed = [i for i in old if i in new and str(old[i]) != str(new[i])]
            went = [old[i] for i in old if i not in new] + [old[i] for i in changed]
            came = [new[i] for i in new if i not in old] + [new[i] for i in changed]
            # Rows of which another column has changed are on both sides.
            for one, listed in ((went, touched.before[place]), (came, touched.after[place])):
                left = [str(value) for value in listed.tolist()]
                for value in one:
                    left.remove(str(value))
            alike = len(touched.before[place]) - len(went)
            assert alike == len(touched.after[place]) - len(came)


def test_numbers_texts_and_what_neither_is(monkeypatch):
    catalog = opened()
    catalog.upsert([{"sku": "p1", "price": 5, "brand": None}, {"sku": "new", "brand": "a"}])
    (touched,) = catalog.snapshot().known.history.rows_between(1, 2)
    known = dict(zip(catalog.columns, touched.known, strict=True))
    assert known["price"] is True
    assert known["brand"] == catalog.snapshot().copies.copy(catalog.schema.find("brand")).values
    # More digits than a double has.
    assert known["wide"] is None
    price = catalog.columns.index("price")
    assert touched.after[price].tolist()[0] == 5
    assert np.isnan(touched.after[price][1])
    assert touched.count == 3
    assert {name for name, _ in OTHERS} >= {name for name, one in known.items() if one is None}


def test_a_write_of_too_many_rows_and_what_came_before_it_are_not_known(monkeypatch):
    monkeypatch.setattr(touched_rows, "MAX_TOUCHED", 3)
    catalog = opened()

    def known(version: int) -> int | None:
        rows = catalog.snapshot().known.history.rows_between(version, catalog.version)
        return None if rows is None else len(rows)

    catalog.upsert([{"sku": "p1", "price": 5}])
    assert [known(version) for version in (1, 2)] == [1, 0]
    catalog.upsert([{"sku": f"p{i}", "price": 9} for i in range(8)])
    assert [known(version) for version in (1, 2, 3, 4)] == [None, None, 0, None]
    catalog.reload(pa.table({"sku": ["x"]}))
    assert [known(version) for version in (1, 2, 3, 4)] == [None, None, None, 0]


def test_how_long_ago_a_version_was_replaced(monkeypatch):
    moments = iter([100.0, 130.0, 131.5, 140.0, 140.0])
    monkeypatch.setattr("concede.catalogs.catalog.time.monotonic", lambda: next(moments))
    catalog = opened()
    assert catalog.age(1) == 0
    for price in (1, 2):
        catalog.upsert([{"sku": "p1", "price": price}])
    assert catalog.age(3) == 0
    assert catalog.age(2) == pytest.approx(1.5)
    assert catalog.age(1) == 40
    assert catalog.age(9) == float("inf")
    assert catalog.snapshot().age(2) == float("inf")
