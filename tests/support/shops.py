"""A small random catalog and random queries over it, with the rows as plain Python."""

from __future__ import annotations

import datetime
import math
import random
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from concede import Catalog, Constraint, Query

UP, DOWN = (">", ">="), ("<", "<=")
BRANDS = ("Ab", "Cd", "Ef", "Gh")
Row = dict[str, Any]

SCHEMA = pa.schema(
    [
        ("brand", pa.string()),
        ("price", pa.int64()),
        ("weight", pa.float64()),
        ("rating", pa.float64()),
        ("released", pa.date32()),
        ("fanless", pa.bool_()),
    ]
)


@dataclass(frozen=True)
class Shop:
    """A catalog, and the same rows as dictionaries."""

    catalog: Catalog
    rows: list[Row]


def shop(seed: int, size: int) -> Shop:
    """Return a shop of `size` laptops; about one cell in ten is missing, rows repeat."""
    dice = random.Random(seed)
    rows = [_laptop(dice) for _ in range(size)]
    rows += [dict(dice.choice(rows)) for _ in range(size // 5)]
    return Shop(Catalog.open(pa.Table.from_pylist(rows, schema=SCHEMA)), rows)


def _laptop(dice: random.Random) -> Row:
    cells: Row = {
        "brand": dice.choice(BRANDS),
        "price": dice.randrange(300, 3000, 50),
        "weight": dice.choice([0.9, 1.1, 1.3, 1.9, 2.4]),
        "rating": dice.randrange(0, 51) / 10,
        "released": datetime.date(2020, 1, 1) + datetime.timedelta(days=dice.randrange(2000)),
        "fanless": dice.random() < 0.3,
    }
    return {name: None if dice.random() < 0.1 else cell for name, cell in cells.items()}


def wish(seed: int, count: int, *, hard: float = 0.0, grouped: bool = False) -> Query:
    """Return a query of `count` additional constraints that tend to conflict."""
    dice = random.Random(seed)
    constraints = [_constraint(dice, hard) for _ in range(count)]
    if grouped and count > 2:
        for position in dice.sample(range(count), 2):
            fields = constraints[position].record() | {"group": "together"}
            constraints[position] = Constraint.model_validate(fields)
    base = [Constraint(column="brand", op="==", value=dice.choice(BRANDS))]
    return Query(base=base if dice.random() < 0.7 else [], constraints=constraints)


def _constraint(dice: random.Random, hard: float) -> Constraint:
    day = datetime.date(2020, 1, 1) + datetime.timedelta(days=dice.randrange(1500, 2000))
    column, op, value = dice.choice(
        [
            ("price", "<=", dice.randrange(300, 1500, 50)),
            ("price", "<", dice.randrange(300, 1500, 50)),
            ("price", "==", dice.randrange(300, 3000, 50)),
            ("price", "between", [dice.randrange(300, 700, 50), dice.randrange(700, 1000, 50)]),
            ("weight", "<=", dice.choice([0.9, 1.0, 1.3])),
            ("rating", ">=", dice.randrange(30, 51) / 10),
            ("rating", ">", 4.5),
            ("released", ">=", day.isoformat()),
            ("released", "<", "2020-06-01"),
            ("fanless", "==", True),
            ("brand", "in", dice.sample(BRANDS, 2)),
            ("brand", "!=", dice.choice(BRANDS)),
        ]
    )
    weight = dice.choice([0.0, 0.1, 0.2, 0.3, 0.5, 0.9, 1.0])
    return Constraint(column=column, op=op, value=value, weight=weight, hard=dice.random() < hard)


def met(row: Row, constraint: Constraint) -> bool:
    """Return whether the row satisfies the constraint: the meaning, spelled out."""
    cell, bound = row[str(constraint.column)], constraint.value
    if cell is None:
        return False
    if isinstance(cell, datetime.date):
        bound = datetime.date.fromisoformat(str(bound))
    return {
        "<=": lambda: cell <= bound,
        "<": lambda: cell < bound,
        ">=": lambda: cell >= bound,
        ">": lambda: cell > bound,
        "==": lambda: cell == bound,
        "!=": lambda: cell != bound,
        "in": lambda: cell in bound,
        "between": lambda: bound[0] <= cell <= bound[1],
    }[constraint.op]()


def number(value: Any) -> float:
    """Return a number, or a date in seconds since 1970."""
    if isinstance(value, str):
        value = datetime.date.fromisoformat(value)
    if isinstance(value, datetime.date):
        return (value - datetime.date(1970, 1, 1)).days * 86400.0
    return float(value)


def violation(row: Row, query: Query, base: list[Row]) -> float:
    """Return weight × distance added up over the constraints that a row misses."""
    missed = [constraint for constraint in query.constraints if not met(row, constraint)]
    return math.fsum(
        constraint.importance * distance(row, constraint, base) for constraint in missed
    )


def distance(row: Row, constraint: Constraint, base: list[Row]) -> float:
    """Return how far a row is from a constraint that it misses, in [1e-9, 1]."""
    column, value = str(constraint.column), constraint.value
    bounded = constraint.op in (*UP, *DOWN, "==", "between")
    if not bounded or column in ("brand", "fanless") or row[column] is None:
        return 1.0
    ends = [number(end) for end in (value if isinstance(value, tuple) else (value,))]
    low = -math.inf if constraint.op in DOWN else ends[0]
    high = math.inf if constraint.op in UP else ends[-1]
    known = [number(other[column]) for other in base if other[column] is not None]
    span = (max(known + ends) - min(known + ends)) or 1.0
    if low > high:
        return 1.0
    gap = max(low - number(row[column]), number(row[column]) - high)
    return min(max(gap / span, 1e-9), 1.0)
