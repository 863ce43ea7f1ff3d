"""A row of cells that plain JSON has no words for, and how replies write it."""

from datetime import date, datetime

import pyarrow as pa

WILD = pa.table(
    {
        "id": [1],
        "colour": ["red"],
        "price": [float("inf")],
        "weight": [float("nan")],
        "photo": [b"\xff\xfe"],
        "day": [date(2024, 1, 31)],
        "moment": [datetime(2024, 1, 31, 10, 0, 0, 500_000)],
        "sizes": [[1, 2]],
        "parts": [{"photo": b"\xff", "price": float("-inf"), "days": [date(2024, 1, 31)]}],
    }
)

WILD_AS_JSON = {
    "id": 1,
    "colour": "red",
    "price": None,
    "weight": None,
    "photo": "__4=",
    "day": "2024-01-31",
    "moment": "2024-01-31T10:00:00.500000",
    "sizes": [1, 2],
    "parts": {"photo": "_w==", "price": None, "days": ["2024-01-31"]},
}
