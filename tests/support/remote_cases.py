"""Rows of twelve types with whatever engines disagree about, and random queries over them."""

import random
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

TYPES = {
    "id": "BIGINT",
    "name": "VARCHAR",
    "note": "VARCHAR",
    "rooms": "INTEGER",
    "big": "BIGINT",
    "price": "DECIMAL(10,2)",
    "exact": "DECIMAL(18,4)",
    "single": "FLOAT",
    "rating": "DOUBLE",
    "built": "DATE",
    "seen": "TIMESTAMP",
    "garden": "BOOLEAN",
}
ARROW_TYPES = (
    pa.int64(), pa.string(), pa.string(), pa.int32(), pa.int64(), pa.decimal128(10, 2),
    pa.decimal128(18, 4), pa.float32(), pa.float64(), pa.date32(), pa.timestamp("us"), pa.bool_(),
)  # fmt: skip
TEXTS = [
    "Ada", "ada", "Zoë", "zoë", "a_b", "a%b", "o'x\\y", '"quoted"', "", " ", "naïve", "ÅNGSTRÖM",
    "ß", "\u0131", "100%", "tab\there", "line\nbreak", "; DROP TABLE x", "Z", "a", "é", "e\u0301",
]  # fmt: skip
DOUBLES = [float("nan"), 0.0, -0.0, 0.1, 0.1 + 0.2, 0.3, 4.8, -3.5, 1e15, 1e-9, 2.0**53]


def made_rows(count: int, seed: int, step: int = 1) -> list[tuple[Any, ...]]:
    """Return rows in the order of `TYPES`; one in nine of the values is NULL."""
    draw = random.Random(seed)
    return [tuple(_values(draw, key * step)) for key in range(count)]


def _values(draw: random.Random, key: int) -> list[Any]:
    day = date(1900, 1, 1) + timedelta(days=draw.randrange(60_000))
    moment = datetime(1999, 12, 31, 20) + timedelta(
        seconds=draw.randrange(10**8), microseconds=draw.choice((0, 0, 1, 999_999, 500_000))
    )
    values = [
        draw.choice(TEXTS),
        draw.choice(TEXTS[:6]) + draw.choice(TEXTS),
        draw.randrange(1, 9),
        draw.choice((2**53, 2**53 + 1, 2**53 + 2, -(2**62), 2**63 - 1, draw.randrange(10**6))),
        Decimal(draw.randrange(0, 50_000)) / 100,
        Decimal(draw.choice((999999999999999999, 123456789012345678, draw.randrange(10**9))))
        / 10_000,
        draw.choice((0.1, 0.5, -0.0, 3.25, draw.randrange(100) / 10)),
        draw.choice(DOUBLES) if draw.random() < 0.3 else round(draw.gauss(3.0, 1.0), 1),
        draw.choice((date(1, 1, 1), date(1582, 10, 10), date(9999, 12, 31), day, day, day, day)),
        draw.choice((datetime(1, 1, 1), moment, moment, moment, moment)),
        draw.random() < 0.5,
    ]
    return [key, *(None if draw.random() < 1 / 9 else value for value in values)]


def written_parquet(rows: list[tuple[Any, ...]], path: str) -> None:
    """Write rows as one Parquet file."""
    columns = [
        pa.array(list(values), type=kind)
        for values, kind in zip(zip(*rows, strict=True), ARROW_TYPES, strict=True)
    ]
    pq.write_table(pa.table(columns, names=list(TYPES)), path)


ORDERED = ("rooms", "big", "price", "exact", "single", "rating", "built", "seen")


def random_query(draw: random.Random, rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    """Return a query of one to seven constraints, most of them hard to meet together."""
    base = [_constraint(draw, rows, loose=True) for _ in range(draw.choice((0, 0, 1, 2)))]
    constraints = [_constraint(draw, rows) for _ in range(draw.choice((1, 2, 3, 4, 5, 5, 6, 7)))]
    for constraint in constraints:
        if draw.random() < 0.4:
            constraint["weight"] = draw.choice((0.1, 0.2, 0.3, 0.7, 1.0))
        if draw.random() < 0.12:
            constraint["hard"] = True
        elif draw.random() < 0.15:
            constraint["group"] = draw.choice("gh")
    objectives = [
        {"column": name, "direction": draw.choice(("min", "max")), "weight": draw.random()}
        for name in draw.sample(ORDERED, draw.choice((0, 0, 1, 2)))
    ]
    return {"base": base, "constraints": constraints, "objectives": objectives}


def _constraint(
    draw: random.Random, rows: list[tuple[Any, ...]], *, loose: bool = False
) -> dict[str, Any]:
    column = draw.choice([name for name in TYPES if name != "id"])
    place = list(TYPES).index(column)
    own = [row[place] for row in rows if row[place] is not None and row[place] == row[place]]
    kind = draw.random()
    if kind < 0.06:
        return {"column": column, "op": draw.choice(("is null", "is not null"))}
    if column in ("name", "note"):
        return {"column": column, **_of_text(draw, own)}
    if column == "garden":
        return {"column": column, "op": draw.choice(("==", "!=")), "value": draw.random() < 0.5}
    own.sort()
    if loose:
        middle = own[len(own) // 2]
        return {"column": column, "op": draw.choice(("<=", ">=")), "value": _json(middle)}
    edge = own[draw.choice((-1, 1)) * int(len(own) * draw.random() ** 4 / 3)]
    op = ("<", "<=")[draw.randrange(2)] if edge < own[len(own) // 2] else draw.choice((">", ">="))
    op = draw.choice((op, op, op, op, "==", "!=", "between", "in", "not in"))
    if op in ("in", "not in"):
        values = [_json(draw.choice(own)) for _ in range(3)]
        return {"column": column, "op": op, "value": values}
    if op == "between":
        ends = sorted((edge, draw.choice(own)))
        return {"column": column, "op": op, "value": [_json(each) for each in ends]}
    return {"column": column, "op": op, "value": _json(edge)}


def _of_text(draw: random.Random, own: list[str]) -> dict[str, Any]:
    text = draw.choice(own)
    op = draw.choice(("==", "!=", "in", "not in", "contains", "like", "ilike"))
    if op in ("in", "not in"):
        return {"op": op, "value": [draw.choice(own) for _ in range(3)]}
    if op in ("like", "ilike"):
        return {"op": op, "value": f"{text[: draw.randrange(4)]}%"}
    if op == "contains":
        return {"op": op, "value": text[:2] or "a"}
    return {"op": op, "value": text}


def _json(value: Any) -> Any:
    if isinstance(value, Decimal):
        # As a number it would be rounded to a double.
        return float(value)
    if isinstance(value, datetime):
        return value.isoformat()
    return value.isoformat() if isinstance(value, date) else value


def random_options(draw: random.Random) -> dict[str, Any]:
    """Return options of a repair."""
    options: dict[str, Any] = {
        "policy": draw.choice(("least-weight",) * 3 + ("fewest", "closest", "closest")),
        "top": draw.choice((1, 3, 5)),
        "rank": draw.choice((None, None, "score", "near")),
        "offset": draw.choice((0, 0, 0, 2)),
    }
    if draw.random() < 0.2:
        options["sort"] = draw.sample([name for name in TYPES if name != "rating"], 2)
    return options
