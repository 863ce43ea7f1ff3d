"""Hypothesis strategies for small catalogs and for queries, each with its meaning in Python.

Opening a catalog is slow beside everything else here, so tables are made once from fixed seeds
and drawn by number: table n has n rows, up to 40.
"""

from __future__ import annotations

import atexit
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.query import Query
from concede.solvers.problem import Problem, bind_problem
from twins import Row, Test, Twin

TABLES = 64
MAX_ROWS = 40

INTEGERS = [-3, -1, 0, 1, 2, 3, 5, 2**40]
FLOATS = [-1.5, -0.0, 0.0, 0.1, 0.2, 0.3, 0.1 + 0.2, 1e-9, 1e300, float("inf")]
TEXTS = [
    "",
    "a",
    "A",
    "ab",
    "a_b",
    "a%b",
    "a\\b",
    "it's",
    'q"q',
    "é",
    "É",
    "ß",
    "\u017f",  # the long s: lowering leaves it, case folding does not
    "ΟΔΟΣ",
    "日本",
]
DAYS = [date(2023, 12, 31), date(2024, 2, 28), date(2024, 2, 29), date(2024, 3, 1)]
VALUES: dict[str, list[Any]] = {
    "number": INTEGERS,
    "other number": INTEGERS,
    "ratio": FLOATS,
    "name": TEXTS,
    "flag": [False, True],
    "day": DAYS,
    "tags": [[], ["a"], ["ab"], ["a", "it's"], ["é", "a", "a"], ["", "日本"]],
}
TAGS = ["", "a", "b", "ab", "it's", "é"]
TYPES = {
    "number": pa.int64(),
    "other number": pa.int32(),
    "ratio": pa.float64(),
    "name": pa.string(),
    "flag": pa.bool_(),
    "day": pa.date32(),
    "tags": pa.list_(pa.string()),
}
SMALL_INTEGERS = [number for number in INTEGERS if abs(number) < 2**31]


@lru_cache(maxsize=TABLES)
def table(number: int) -> tuple[Catalog, list[dict[str, Any]]]:
    """A catalog and its rows; few distinct values, NULLs, and rows that repeat."""
    random = Random(number)
    size = min(number, MAX_ROWS)
    nulls = random.choice([0.0, 0.1, 0.4])
    rows: list[dict[str, Any]] = []
    for _ in range(size):
        if rows and random.random() < 0.2:
            rows.append(dict(random.choice(rows)))
        else:
            rows.append({name: _cell(random, name, nulls) for name in VALUES})
    columns = {name: pa.array([row[name] for row in rows], TYPES[name]) for name in VALUES}
    return Catalog.open(pa.table(columns)), rows


# DuckDB complains about connections that are still open when the interpreter ends.
atexit.register(table.cache_clear)


def _cell(random: Random, name: str, nulls: float) -> Any:
    values = SMALL_INTEGERS if name == "other number" else VALUES[name]
    return None if random.random() < nulls else random.choice(values)


@dataclass(frozen=True)
class TwinnedConstraint:
    """A constraint and what it means."""

    constraint: Constraint
    test: Test

    def __repr__(self) -> str:
        return repr(self.constraint)


def _like(pattern: str, text: str) -> bool:
    wild = {"%": ".*", "_": "."}
    return bool(re.fullmatch("".join(wild.get(c, re.escape(c)) for c in pattern), text, re.DOTALL))


def _lower(text: str) -> str:
    """One character at a time, as SQL does: no final sigma."""
    return "".join(c.lower() for c in text)


MEANINGS: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda cell, value: cell == value,
    "!=": lambda cell, value: cell != value,
    "<": lambda cell, value: cell < value,
    "<=": lambda cell, value: cell <= value,
    ">": lambda cell, value: cell > value,
    ">=": lambda cell, value: cell >= value,
    "in": lambda cell, value: any(cell == given for given in value),
    "not in": lambda cell, value: all(cell != given for given in value),
    "between": lambda cell, value: value[0] <= cell and cell <= value[1],
    "like": lambda cell, value: _like(value, cell),
    "ilike": lambda cell, value: _like(_lower(value), _lower(cell)),
    "contains": lambda cell, value: value in cell,
    "contains any": lambda cell, value: any(part in cell for part in value),
}
# A list equals, is in and is not in what one of its values is.
MEANINGS_OF_LISTS: dict[str, Callable[[Any, Any], bool]] = {
    **MEANINGS,
    "==": lambda cell, value: value in cell,
    "!=": lambda cell, value: value not in cell,
    "in": lambda cell, value: any(given in cell for given in value),
    "not in": lambda cell, value: all(given not in cell for given in value),
}

ORDERED = ["<", "<=", ">", ">=", "between"]
ALWAYS = ["==", "!=", "in", "not in", "is null", "is not null"]
PATTERNS = ["like", "ilike", "contains", "contains any"]
PATTERN_VALUES = [*TEXTS, "%", "_", "a%", "%B", "a\\%", "οδος", "s", "ss"]
OPERATORS = {
    **{name: [*ALWAYS, *ORDERED] for name in ("number", "other number", "ratio", "day")},
    "name": [*ALWAYS, *ORDERED, *PATTERNS],
    "flag": ALWAYS,
    "tags": [*ALWAYS, "contains", "contains any"],
}


def _of(name: str, test: Callable[[Any], bool]) -> Callable[[Row], bool | None]:
    """The value of an expression over one column, None where it is NULL."""
    return lambda row: None if row[name] is None else test(row[name])


# SQL expressions with their value: True, False, or None where SQL says NULL.
EXPRESSIONS: list[tuple[str, Callable[[Row], bool | None]]] = [
    ("1 = 1", lambda row: True),
    ("1 = 0", lambda row: False),
    ("NULL = 1", lambda row: None),
    ("number = number", _of("number", lambda cell: True)),
    ("number + 1 >= 2", _of("number", lambda cell: cell + 1 >= 2)),
    ("length(name) > 1", _of("name", lambda cell: len(cell) > 1)),
    ("name = 'it''s' OR name = 'é'", _of("name", lambda cell: cell in ("it's", "é"))),
    ("NOT flag", _of("flag", lambda cell: not cell)),
    ("coalesce(number, 0) >= 0", lambda row: (row["number"] or 0) >= 0),
    ('number > "other number"', lambda row: _more(row["number"], row["other number"])),
    (
        "number IS NULL OR ratio > 0.2",
        lambda row: _either(row["number"] is None, _more(row["ratio"], 0.2)),
    ),
    (
        "CASE WHEN flag THEN number > 0 ELSE ratio > 0 END",
        lambda row: _more(row["number"] if row["flag"] else row["ratio"], 0),
    ),
]


def _more(left: Any, right: Any) -> bool | None:
    return None if left is None or right is None else left > right


def _either(first: bool | None, second: bool | None) -> bool | None:
    if first or second:
        return True
    return None if first is None or second is None else False


def _with_null(value: bool | None, nulls: str) -> bool:
    return nulls == "match" if value is None else value


Predicate = tuple[dict[str, Any], Test]


def _predicate(name: str, op: str, value: Any, nulls: str) -> Predicate:
    if op in ("is null", "is not null"):
        wanted = op == "is null"
        return {"column": name, "op": op}, lambda row: (row[name] is None) == wanted
    meaning = (MEANINGS_OF_LISTS if name == "tags" else MEANINGS)[op]
    fields = {"column": name, "op": op, "value": value, "nulls": nulls}

    def test(row: Row) -> bool:
        cell = row[name]
        return nulls == "match" if cell is None else meaning(cell, value)

    return fields, test


def _expression(text: str, meaning: Callable[[Row], bool | None], nulls: str) -> Predicate:
    fields = {"op": "sql", "value": text, "nulls": nulls}
    return fields, lambda row: _with_null(meaning(row), nulls)


def _values(name: str, op: str) -> list[Any]:
    if op in ("is null", "is not null"):
        return [None]
    given = TAGS if name == "tags" else VALUES[name]
    listed = [number for number in given if number != float("inf")]
    values = PATTERN_VALUES if op in PATTERNS and name == "name" else listed
    if op in ("in", "not in", "contains any"):
        return [*((value,) for value in values), *product(values, values)]
    return list(product(values, values)) if op == "between" else values


# Every predicate there is, by column and operator: one draw instead of many, since drawing
# takes as long as solving here.
NULLS = ("reject", "reject", "match")
FAMILIES: list[list[Predicate]] = [
    [_predicate(name, op, value, nulls) for value in _values(name, op) for nulls in NULLS]
    for name, operators in OPERATORS.items()
    for op in operators
    # What about half of the rows meet makes the largest conflicts, so it comes more often.
    for _ in range(4 if op in ("!=", "<=", ">=", "not in") or name == "flag" else 1)
]
FAMILIES += 8 * [[_expression(*expression, nulls) for expression in EXPRESSIONS for nulls in NULLS]]
PREDICATES = st.sampled_from(FAMILIES).flatmap(st.sampled_from)

WEIGHTS = (None, 0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
TRAITS = [
    {"weight": weight, "hard": hard, "group": group}
    for hard in [False] * 7 + [True]
    for group in [None] * 6 + ["g", "h"]
    for weight in WEIGHTS
]


@st.composite
def twinned_constraints(draw: st.DrawFn) -> TwinnedConstraint:
    """An additional constraint: a predicate, perhaps weighed, hard or in a group."""
    fields, test = draw(PREDICATES)
    return TwinnedConstraint(Constraint(**fields, **draw(st.sampled_from(TRAITS))), test)


@dataclass(frozen=True)
class RandomProblem:
    """A query on a table, as the package sees it and as the twin does."""

    number: int
    base: tuple[TwinnedConstraint, ...]
    constraints: tuple[TwinnedConstraint, ...]

    @property
    def query(self) -> Query:
        return Query(
            base=tuple(twinned.constraint for twinned in self.base),
            constraints=tuple(twinned.constraint for twinned in self.constraints),
        )

    def bound(self) -> Problem:
        """The problem as solvers take it."""
        catalog, _ = table(self.number)
        return bind_problem(catalog, self.query.base, self.query.constraints)

    def twin(self) -> Twin:
        """The twin of the problem."""
        _, rows = table(self.number)
        tests = [twinned.test for twinned in self.constraints]
        return Twin.of_rows(rows, [twinned.test for twinned in self.base], tests)

    def prices(self) -> list[float]:
        """What dropping each constraint costs; infinite for a hard one."""
        hard = self.query.hard_positions
        return [
            float("inf") if j in hard else twinned.constraint.importance
            for j, twinned in enumerate(self.constraints)
        ]


def exact(prices: list[float]) -> list[Fraction | None]:
    """Prices as the decimals that were written down; None for an infinite one."""
    return [None if price == float("inf") else Fraction(repr(price)) for price in prices]


@st.composite
def problems(draw: st.DrawFn, max_constraints: int = 10) -> RandomProblem:
    """A table by number, up to three base constraints, and additional ones that may repeat."""
    number = draw(st.integers(0, TABLES - 1))
    most = draw(st.sampled_from([0, 0, 0, 1, 1, 2, 3]))
    base = draw(st.lists(PREDICATES, max_size=most))
    width = draw(st.sampled_from([*range(max_constraints + 1), *range(4, max_constraints + 1)]))
    constraints = draw(st.lists(twinned_constraints(), min_size=width, max_size=width))
    repeated = draw(st.integers(0, 3))
    if repeated and width > repeated:
        constraints[-1] = constraints[repeated - 1]
    return RandomProblem(
        number,
        tuple(TwinnedConstraint(Constraint(**fields), test) for fields, test in base),
        tuple(constraints),
    )


@st.composite
def row_masks(draw: st.DrawFn, max_width: int = 7) -> Twin:
    """The twin of rows without a table, by what each meets: many conflicts for little time."""
    width = draw(st.integers(0, max_width))
    met = draw(st.lists(st.sets(st.integers(0, max(0, width - 1)), max_size=width), max_size=14))
    return Twin([frozenset(row) for row in met], width)
