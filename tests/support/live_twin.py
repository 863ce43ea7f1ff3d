"""A catalog's slow twin: a plain list of rows to which writes are applied one after another."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

Row = dict[str, Any]

CELLS: dict[str, tuple[pa.DataType, list[Any]]] = {
    "sku": (pa.string(), [f"s{i}" for i in range(12)]),
    "price": (pa.int32(), [0, 1, 2, 3, 5, 8, 13, 1000]),
    "ratio": (pa.float64(), [-1.5, 0.0, 0.1, 0.2, 0.3, 1e300]),
    "money": (pa.decimal128(10, 2), [Decimal("1.10"), Decimal("2.00"), Decimal("19.99")]),
    "brand": (pa.string(), ["", "a", "A", "it's", "日本", "b"]),
    "flag": (pa.bool_(), [True, False]),
    "day": (pa.date32(), [dt.date(2024, 2, 28), dt.date(2024, 2, 29), dt.date(2024, 3, 1)]),
    "at": (pa.timestamp("us"), [dt.datetime(2024, 2, 28, 1, 2, 3, 4), dt.datetime(1960, 1, 1)]),
    "wide": (pa.decimal128(30, 4), [Decimal("12345678901234567890.1234"), Decimal("0.5000")]),
}


OTHERS = [(name, column) for name, column in CELLS.items() if name != "sku"]


def cells(column: str) -> st.SearchStrategy[Any]:
    """Draw a value of a column, or NULL."""
    return st.sampled_from([*CELLS[column][1], None])


def keyed_rows(most: int = 8) -> st.SearchStrategy[list[Row]]:
    """Draw rows that have their key and some other columns, or not."""
    optional = {name: cells(name) for name in CELLS if name != "sku"}
    row = st.fixed_dictionaries({"sku": st.sampled_from(CELLS["sku"][1])}, optional=optional)
    return st.lists(row, max_size=most)


def first_rows(most: int = 12) -> st.SearchStrategy[list[Row]]:
    """Draw complete rows with different keys."""
    row = st.fixed_dictionaries(
        {"sku": st.sampled_from(CELLS["sku"][1]), **{n: cells(n) for n in CELLS if n != "sku"}}
    )
    return st.lists(row, max_size=most, unique_by=lambda row: row["sku"])


def padding(count: int) -> list[Row]:
    """Return rows that no step touches by key: beside them a write is a small one."""
    return [
        {"sku": f"p{i}"}
        | {n: [*c, None][i // (k + 1) % (len(c) + 1)] for k, (n, (_, c)) in enumerate(OTHERS)}
        for i in range(count)
    ]


def table_of(rows: Sequence[Row]) -> pa.Table:
    """Return rows as a table of the catalog's types."""
    return pa.table(
        {name: pa.array([row[name] for row in rows], kind) for name, (kind, _) in CELLS.items()}
    )


class LiveTwin:
    """Rows with their ids, in order."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.next_id = 0
        self.rows: list[tuple[int, Row]] = []
        self.load(rows)

    def load(self, rows: Sequence[Row]) -> None:
        self.rows = []
        for row in rows:
            self._append(row)

    def upsert(self, rows: Sequence[Mapping[str, Any]], key: str | None) -> None:
        for row in rows:
            place = self._place(row, key)
            if place is None:
                self._append(dict.fromkeys(CELLS) | dict(row))
            else:
                row_id, existing = self.rows[place]
                self.rows[place] = row_id, existing | dict(row)

    def delete(self, row_ids: Sequence[int]) -> None:
        self.rows = [pair for pair in self.rows if pair[0] not in set(row_ids)]

    def _append(self, row: Row) -> None:
        self.rows.append((self.next_id, dict(row)))
        self.next_id += 1

    def _place(self, row: Mapping[str, Any], key: str | None) -> int | None:
        if key is None:
            return None
        places = [i for i, (_, existing) in enumerate(self.rows) if existing[key] == row[key]]
        return places[0] if places else None

    @property
    def shown(self) -> list[Row]:
        """The rows as a catalog shows them: decimals as plain numbers if they are."""
        return [{name: _plain(value) for name, value in row.items()} for _, row in self.rows]

    @property
    def ids(self) -> list[int]:
        return [row_id for row_id, _ in self.rows]


def _plain(value: Any) -> Any:
    if not isinstance(value, Decimal):
        return value
    if value == value.to_integral_value():
        return int(value)
    # Kept digit for digit where the double nearest to it is written otherwise.
    return float(value) if Decimal(repr(float(value))) == value else value
