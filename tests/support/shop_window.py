"""A small catalog of every kind of column, made to conflict in known ways."""

import datetime

import pyarrow as pa

from concede import Catalog

SCHEMA = pa.schema(
    [
        ("name", pa.string()),
        ("maker", pa.string()),
        ("price_eur", pa.int64()),
        ("weight", pa.float64()),
        ("fanless", pa.bool_()),
        ("released", pa.date32()),
        ("checked", pa.timestamp("us")),
        ("note", pa.string()),
        ("sku_id", pa.string()),
    ]
)
MAKERS = ("Birch", "Cedar", "Maple")


def rows(count: int = 60) -> list[dict[str, object]]:
    """Return laptops: Birch is cheap and heavy, Maple dear, light and fanless."""
    return [_row(i) for i in range(count)]


def _row(i: int) -> dict[str, object]:
    grade = i % 3
    return {
        "name": f"{MAKERS[grade]} book {i}",
        "maker": MAKERS[grade],
        "price_eur": 400 + 500 * grade + 10 * (i // 3),
        "weight": round(2.4 - 0.6 * grade + 0.01 * (i // 3), 2),
        "fanless": grade == 2,
        "released": datetime.date(2020 + grade, 1, 1) + datetime.timedelta(days=i),
        "checked": datetime.datetime(2024, 5, 1, 12, 30) + datetime.timedelta(hours=i),
        "note": None if i % 5 else f"refurbished in room {i}",
        "sku_id": f"SKU-{i:05}",
    }


def shop_window(count: int = 60) -> Catalog:
    """Return the catalog of these laptops."""
    return Catalog.open(pa.Table.from_pylist(rows(count), schema=SCHEMA))
