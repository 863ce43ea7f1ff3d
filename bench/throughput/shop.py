"""A synthetic shop of 12 columns, and queries that no row meets, with known or with new bounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import count

from ...catalogs.catalog import Catalog
from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ..quiet_connection import quiet_connection
from .report import Selectivity

# Hashed twice: the low bits of `hash(i, 1, seed)` and `hash(i, 2, seed)` depend on each other.
HASH = "hash(hash(i, {number}, {seed}))"
COLUMNS = {
    "brand": "'brand ' || ({drawn} % 128)",
    "category": "'category ' || ({drawn} % 8)",
    "colour": "'colour ' || ({drawn} % 12)",
    "fuel": "'fuel ' || ({drawn} % 4)",
    "price": "(50 + {drawn} % 4950)::INTEGER",
    "year": "(2005 + {drawn} % 20)::INTEGER",
    "stock": "({drawn} % 500)::INTEGER",
    "warranty": "({drawn} % 61)::INTEGER",
    "rating": "({drawn} % 501)::DOUBLE / 100",
    "weight": "0.5 + ({drawn} >> 11)::DOUBLE / 9007199254740992.0 * 4.5",
    "noise": "20 + ({drawn} >> 11)::DOUBLE / 9007199254740992.0 * 60",
    "power": "10 + ({drawn} >> 11)::DOUBLE / 9007199254740992.0 * 190",
}
DRAWN = "each column uniform over its values, independent of the others"

ASKED = (
    Constraint(column="category", op="==", value="category 3", weight=0.7),
    Constraint(column="price", op="<=", value=300, weight=0.9),
    Constraint(column="rating", op=">=", value=4.8, weight=0.6),
    Constraint(column="year", op=">=", value=2024, weight=0.3),
    Constraint(column="weight", op="<=", value=0.75, weight=0.45),
    Constraint(column="noise", op="<=", value=21.5, weight=0.2),
)
"""What is asked: together about one row in 10⁸ meets it."""

STEP = 2.0**-52
"""What bounds nobody asked for yet differ by, as a share of their value: no two are equal, and
after 20,000 questions a distance over a column's range is still the same but for 10⁻⁹."""

SIDE = {"<=": 1.0, ">=": -1.0}
"""The direction in which a bound can move a little without leaving a row out."""

BASE = (
    Constraint(column="power", op=">=", value=100.0),
    Constraint(column="power", op="<=", value=101.5),
)
"""A base slice of 0.8 % of the rows."""


@dataclass(frozen=True)
class Shop:
    """The catalog of so many rows."""

    rows: int
    seed: int

    @cached_property
    def catalog(self) -> Catalog:
        """The catalog, made on first use."""
        with quiet_connection() as source:
            return Catalog.open(source.sql(self.sql()))

    def sql(self, more: str = "") -> str:
        """Return SQL for the rows, numbered by `i`; more columns may come first."""
        listed = ", ".join(
            f"{expression.format(drawn=HASH.format(number=number, seed=self.seed))} AS {name}"
            for number, (name, expression) in enumerate(COLUMNS.items(), start=1)
        )
        return f"SELECT {more}{listed} FROM range({self.rows}) r(i)"

    def query(self, *, base: bool, tighter: int = 0) -> Query:
        """Return the query; each `tighter` one has other bounds."""
        constraints = [
            constraint.model_copy(update={"value": _moved(constraint.value, tighter)})
            if constraint.column in ("weight", "noise")
            else constraint
            for constraint in ASKED
        ]
        return Query(base=BASE if base else (), constraints=tuple(constraints))

    def unseen(self, *, base: bool) -> Query:
        """Return the query with the same rows, but bounds that nobody has asked for yet.

        Those of the base slice are new, too. Bounds differ by a few times `STEP` of their value,
        which no two values here are likely to lie between; the category, one of eight, stays.
        """
        step = STEP * next(_unseen)
        query = self.query(base=base)
        return Query(
            base=tuple(_nudged(constraint, step) for constraint in query.base),
            constraints=tuple(_nudged(constraint, step) for constraint in query.constraints),
        )

    def selectivity(self, query: Query) -> Selectivity:
        """Return what the query's constraints keep, counted."""
        bound = [self.catalog.bind(constraint) for constraint in query.constraints]
        base = [self.catalog.bind(constraint) for constraint in query.base]
        rows = self.catalog.row_count
        return Selectivity(
            shares=tuple(self.catalog.count([predicate]) / rows for predicate in bound),
            base_share=self.catalog.count(base) / rows,
            matching=self.catalog.count([*base, *bound]),
            drawn=DRAWN,
            seed=self.seed,
        )


def _nudged(constraint: Constraint, step: float) -> Constraint:
    side = SIDE.get(constraint.op)
    if side is None or not isinstance(constraint.value, int | float):
        return constraint
    return constraint.model_copy(update={"value": constraint.value * (1 + side * step)})


def _moved(value: object, steps: int) -> object:
    return value * (1 - steps / 1_000) if isinstance(value, float) else value


_unseen = count(1)
