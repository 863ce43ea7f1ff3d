"""The index cache is used where it fits the rows, and never where it does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede import Catalog
from concede.catalogs.buckets import bucketed

ROWS = 500
CARS = Catalog.open("sample:cars").snapshot()


def make_file(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE items AS SELECT 's' || i AS sku, (i * 7) % 101 AS price, "
            "CASE WHEN i % 3 > 0 THEN 'brand ' || (i % 5) END AS brand, i % 2 = 0 AS flag, "
            f"DATE '2024-01-01' + (i % 40)::INTEGER AS day FROM range({ROWS}) t(i)"
        )


def opened(path: Path) -> Catalog:
    return Catalog.open(path, key="sku", writable=True)


def known(catalog: Catalog) -> dict[str, Any]:
    """All that a cache could tell wrongly."""
    now = catalog.snapshot()
    now.warm()
    # As texts, since NaN equals nothing.
    numbers = {name: str(now.numbers(name).tolist()) for name in ("price", "day")}
    ends = {name: now.ends(name) for name in ("price", "day")}
    octets = {name: now.buckets(name).octets for name in ("price", "day")}
    for name, buckets in octets.items():
        edges = np.array(now.buckets(name).edges)
        assert np.array_equal(buckets, bucketed(edges, now.numbers(name)))
    return {"rows": now.fetch(range(now.row_count)), "numbers": numbers, "ends": ends}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    make_file(path)
    with opened(path) as catalog:
        assert catalog.index_fitness == "missing"
        known(catalog)
    return path


def index_of(path: Path) -> Path:
    return path.with_name("shop.duckdb.items.index")


def test_what_was_known_is_known_after_opening_again(file: Path) -> None:
    plain = Catalog.open(file)
    with opened(file) as catalog:
        assert catalog.index_fitness == "fresh"
        copies, ends = catalog.snapshot().copies.held()
        assert set(copies) == {"price", "brand", "flag", "day", "sku"}
        assert set(ends) == {"price", "day"}
        assert known(catalog) == known(plain)


def test_only_the_columns_that_changed_are_found_anew(file: Path) -> None:
    with opened(file) as catalog:
        catalog.upsert([{"sku": "s7", "price": 1_000}])
        # Nobody closes it: the cache is that of the version before.
        expected = known(catalog)
        catalog._store.close()  # type: ignore[union-attr]
    with opened(file) as catalog:
        assert catalog.index_fitness == "partly stale"
        assert "price" not in catalog.snapshot().copies.held()[0]
        assert known(catalog) == expected


def test_rows_changed_by_another_program_are_not_taken_from_the_cache(file: Path) -> None:
    with duckdb.connect(str(file)) as connection:
        connection.execute("UPDATE items SET brand = 'other' WHERE sku = 's3'")
        connection.execute("INSERT INTO items (sku, price) VALUES ('new', 5)")
        connection.execute("DELETE FROM items WHERE sku = 's9'")
    with opened(file) as catalog:
        assert catalog.index_fitness in ("stale", "partly stale")
        found = known(catalog)
    assert found == known(Catalog.open(file))


def flipped(content: bytes, place: int) -> bytes:
    place %= len(content)
    return content[:place] + bytes([content[place] ^ 0x40]) + content[place + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "short": lambda content: content[:20],
    "cut": lambda content: content[:-1],
    "halved": lambda content: content[: len(content) // 2],
    "longer": lambda content: content + b"\0",
    "other": lambda content: b"not an index" * 100,
    "the magic": lambda content: flipped(content, 3),
    "the header": lambda content: flipped(content, 60),
    "an array": lambda content: flipped(content, -400),
    "the checksum": lambda content: flipped(content, -1),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_cache_is_not_used(file: Path, damage: str) -> None:
    expected = known(Catalog.open(file))
    index_of(file).write_bytes(DAMAGES[damage](index_of(file).read_bytes()))
    with opened(file) as catalog:
        assert catalog.index_fitness == "damaged"
        assert known(catalog) == expected
    with opened(file) as catalog:
        assert catalog.index_fitness == "fresh"


def test_a_cache_in_the_way_of_nobody(file: Path) -> None:
    index_of(file).unlink()
    index_of(file).mkdir()
    with opened(file) as catalog:
        assert catalog.index_fitness == "missing"
        assert catalog.upsert([{"sku": "s1", "price": 1}]) == 2


@settings(max_examples=40)
@given(header=st.binary(max_size=60) | st.sampled_from([b"{}", b"[]", b'{"rows": -1}', b"[" * 50]))
def test_a_cache_with_a_right_checksum_and_nonsense_inside_is_damaged(
    tmp_path_factory: pytest.TempPathFactory, header: bytes
) -> None:
    from hashlib import blake2b

    from concede.catalogs.index_cache import MAGIC, take

    body = MAGIC + len(header).to_bytes(8, "little") + header
    path = tmp_path_factory.getbasetemp() / "nonsense.index"
    path.write_bytes(body + blake2b(body, digest_size=32).digest())
    assert take(CARS, path) == "damaged"
