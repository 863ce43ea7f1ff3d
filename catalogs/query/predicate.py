"""A constraint bound to a catalog: SQL text with its values kept apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple, cast

from pydantic_core import to_json

from ..cached_attribute import cached_attribute
from .constraint import PATTERNS, Scalar
from .exact_numbers import scale_of
from .far_dates import FarMoment

MAX_EXACT_DIGITS = 15
"""Decimals up to this many digits become the same double in DuckDB and in Python."""

MAX_DECIMAL_DIGITS = 38
"""The width of DuckDB's widest DECIMAL; a longer number is a DOUBLE."""

FEW_VALUES = 8
"""A list of so many values is compared as fast as one."""


TypedValue = Scalar | Decimal | FarMoment
"""A value as a column's family holds it."""


def quoted(identifier: str) -> str:
    """Return an identifier in double quotes, inner quotes doubled."""
    return '"' + identifier.replace('"', '""') + '"'


def literal(value: TypedValue) -> str:
    """Return a value as a SQL literal that means exactly the bound value."""
    if isinstance(value, float):
        return _float_literal(value)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        # A minus is read apart from its number, and 2¹²⁷ has no sign.
        return str(value) if value > -(2**127) else f"CAST('{value}' AS HUGEINT)"
    if isinstance(value, Decimal):
        return _decimal_literal(value)
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value.isoformat(sep=' ')}'"
    if isinstance(value, date):
        return f"DATE '{value.isoformat()}'"
    if isinstance(value, FarMoment):
        return value.literal
    return "'" + value.replace("'", "''") + "'"


def _float_literal(value: float) -> str:
    if value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    text = repr(value)
    # A longer decimal would be read as DECIMAL and rounded twice; an exponent makes it DOUBLE.
    # One character is the point, and one may be a minus.
    most = MAX_EXACT_DIGITS + 1 + (value < 0)
    return text if len(text) <= most or "e" in text else f"{text}e0"


def _literals(values: Sequence[TypedValue]) -> list[str]:
    """Return what `literal` does of each value; of many numbers in a fifth of the time."""
    types = set(map(type, values)) if len(values) > FEW_VALUES else set[type]()
    if types == {float}:
        doubles = cast("Sequence[float]", values)
        if max(map(abs, doubles)) < 2**53:
            return _double_literals(doubles)
    if types == {int}:
        whole = cast("Sequence[int]", values)
        if min(whole) > -(2**127):
            return list(map(str, whole))
    return [literal(value) for value in values]


def _double_literals(doubles: Sequence[float]) -> list[str]:
    """Return what `_float_literal` does of doubles below 2⁵³: 0.2 µs each, `repr` takes 1."""
    written = to_json(doubles).decode().strip("[]")
    texts = written.split(",")
    if ".0," in written or written.endswith(".0"):
        texts = [text[:-2] if text.endswith(".0") else text for text in texts]
    short = MAX_EXACT_DIGITS + 1
    literals = [
        text if len(text) <= short or (len(text) == short + 1 and text[0] == "-") else text + "e0"
        for text in texts
    ]
    # Below, it writes an exponent where `repr` writes none.
    for place, value in enumerate(doubles):
        if -1e-4 < value < 1e-4:
            literals[place] = _float_literal(value)
    return literals


def _decimal_literal(value: Decimal) -> str:
    text = format(value, "f")
    if len(text) <= MAX_DECIMAL_DIGITS:
        return text
    # A longer text would be read as DOUBLE.
    return f"CAST('{text}' AS DECIMAL({MAX_DECIMAL_DIGITS}, {scale_of(value)}))"


class Slot(NamedTuple):
    """A place in SQL text where a value is bound."""

    value: TypedValue

    @property
    def text(self) -> str:
        """The value as a SQL literal."""
        return literal(self.value)

    @property
    def is_written(self) -> bool:
        """Whether the value stands in the SQL text itself.

        DuckDB's Python client counts a zero before the point of a decimal below 0.1, and takes one
        of 38 decimals for a DOUBLE. Of a moment outside Python's years it knows nothing.
        """
        if not isinstance(self.value, Decimal):
            return isinstance(self.value, FarMoment)
        _, digits, exponent = self.value.as_tuple()
        return exponent == -MAX_DECIMAL_DIGITS and len(digits) < MAX_DECIMAL_DIGITS


class SlotList(NamedTuple):
    """Places for values with a comma between two: one part of a list, however long it is."""

    values: tuple[TypedValue, ...]

    @property
    def text(self) -> str:
        """The values as SQL literals."""
        return ", ".join(_literals(self.values))

    @property
    def marks(self) -> str:
        """A question mark for every value that is bound."""
        if self._are_bound:
            return ", ".join("?" * len(self.values))
        return ", ".join([_mark(Slot(value)) for value in self.values])

    @property
    def bound(self) -> Sequence[TypedValue]:
        """The values of the question marks."""
        if self._are_bound:
            return self.values
        return [value for value in self.values if not Slot(value).is_written]

    @property
    def goes_as_one(self) -> bool:
        """Whether DuckDB had better be given all values as one: a long list of plain types.

        It plans 500 question marks for 5 ms and 5,000 for 50, and one list for less than 1; rows
        are then looked up in a hash table, which of question marks it does for some types only.
        """
        if len(self.values) <= FEW_VALUES:
            return False
        types = set(map(type, self.values))
        if types == {int, float}:
            # The list is one of doubles.
            return all(abs(value) <= 2**53 for value in self.values if isinstance(value, int))
        return types in ({int}, {float}, {str}, {date}, {datetime})

    @property
    def _are_bound(self) -> bool:
        """Whether every value is surely bound: few types may stand in the text itself."""
        return {Decimal, FarMoment}.isdisjoint(map(type, self.values))


Part = str | Slot | SlotList
"""A part of SQL text."""


def _mark(part: Part) -> str:
    """Return a part of SQL as DuckDB runs it."""
    if isinstance(part, SlotList):
        return part.marks
    if isinstance(part, str):
        return part
    return part.text if part.is_written else "?"


def _bound_in(part: Part) -> Sequence[TypedValue]:
    """Return the values of a part's question marks."""
    if isinstance(part, SlotList):
        return part.bound
    return [part.value] if isinstance(part, Slot) and not part.is_written else ()


def _values_in(parts: Iterable[Part]) -> list[TypedValue]:
    """Return the values of all slots, in order."""
    values: list[TypedValue] = []
    for part in parts:
        if isinstance(part, SlotList):
            values += part.values
        elif isinstance(part, Slot):
            values.append(part.value)
    return values


@dataclass(frozen=True)
class ValueTest:
    """What a predicate on a single column asks of its values, for whoever holds them."""

    op: str
    values: tuple[TypedValue, ...]

    @cached_attribute
    def prepared(self) -> dict[str, Any]:
        """What a reader makes of a long list of values once, for all pieces of a column."""
        return {}


@dataclass(frozen=True)
class Measured:
    """What a predicate measures of a row where that is no column, and the ends it may lie between.

    `column` is the name under which a schema finds it: `distance_km(40.75, -73.98)`. `strict`: the
    ends are left out.
    """

    column: str
    most: float
    least: float = -math.inf
    strict: bool = False


@dataclass(frozen=True)
class Predicate:
    """A boolean SQL expression over a catalog's columns, as text parts and value slots.

    `columns` are the columns it reads, in the catalog's spelling. Where SQL would say NULL, a row
    satisfies it only with `nulls_match`; the parts of a whole expression then say what denies it.
    `author_sql` is how its author put a whole expression, for people to read; `test` says the same
    as the parts of a single column; `measured` is the bound that it sets on what is no column.
    """

    parts: tuple[Part, ...]
    columns: tuple[str, ...]
    nulls_match: bool = False
    author_sql: str = ""
    test: ValueTest | None = None
    measured: Measured | None = None

    @property
    def values(self) -> list[TypedValue]:
        """The values to bind, in the order of the question marks of `sql`."""
        return [value for part in self.parts for value in _bound_in(part)]

    @property
    def single_parts(self) -> list[str | Slot]:
        """The parts, those of a list one by one."""
        single: list[str | Slot] = []
        for part in self.parts:
            if isinstance(part, SlotList):
                single += [each for value in part.values for each in (", ", Slot(value))][1:]
            else:
                single.append(part)
        return single

    @property
    def sql(self) -> str:
        """The condition as DuckDB runs it, a question mark for every value that is bound.

        No function stands around an expression: inside one DuckDB computes both sides of an OR
        for every row, and `n = 0 OR 1 % n = 1` would fail where it does not as a WHERE.
        """
        return self._condition("".join(map(_mark, self.parts)))

    def _condition(self, body: str) -> str:
        if not self.author_sql:
            return f"coalesce({body}, {'TRUE' if self.nulls_match else 'FALSE'})"
        return unless(body) if self.nulls_match else f"({body})"

    @property
    def fewest_marks(self) -> tuple[str, list[Any]]:
        """The condition with one question mark for a long list, and the values to bind."""
        texts, bound = list[str](), list[Any]()
        for part in self.parts:
            if isinstance(part, SlotList) and part.goes_as_one:
                texts.append("SELECT unnest(?)")
                bound.append(list(part.values))
            else:
                texts.append(_mark(part))
                bound += _bound_in(part)
        return self._condition("".join(texts)), bound

    @cached_attribute
    def text(self) -> str:
        """The expression as a person runs it, values written as literals, NULL left as SQL's."""
        if self.author_sql:
            return self.author_sql if self.nulls_match else f"({self.author_sql})"
        body = literal_text(self.parts)
        return f"coalesce({body}, TRUE)" if self.nulls_match else body

    @cached_attribute
    def key(self) -> tuple[object, ...]:
        """What tells this predicate from others: of values 1, 1.0 and TRUE differ, 0.1 and 0.10."""
        texts = [
            part if isinstance(part, str) else isinstance(part, SlotList) and len(part.values)
            for part in self.parts
        ]
        values = _values_in(self.parts)
        types = tuple(map(type, values))
        if Decimal in types:
            values = [str(value) if isinstance(value, Decimal) else value for value in values]
        return (tuple(texts), types, tuple(values), self.nulls_match)


def literal_text(parts: Iterable[Part]) -> str:
    """Return SQL parts with their values written as literals."""
    return "".join([part if isinstance(part, str) else part.text for part in parts])


def beside(sql_types: Iterable[str], parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return SQL parts as DuckDB compares them with columns of these types.

    Beside an unsigned number of 128 bits values are written: those bound are signed, and DuckDB
    makes of both doubles, or what does not fit 64 bits an error.
    """
    return (literal_text(parts),) if "UHUGEINT" in sql_types else tuple(parts)


def unless(denial: str) -> str:
    """Return the condition that another one does not hold, be it false or NULL."""
    return f"CASE WHEN {denial} THEN FALSE ELSE TRUE END"


def equality(column: str, value: TypedValue) -> Predicate:
    """Return the predicate that a column has exactly this value."""
    parts = (f"{quoted(column)} = ", Slot(value))
    return Predicate(parts, (column,), test=ValueTest("==", (value,)))


def conjunction(
    predicates: Iterable[Predicate], *, fewest_marks: bool = False
) -> tuple[str, list[Any]]:
    """Return SQL text and values of all predicates joined by AND; TRUE for none."""
    asked = [p.fewest_marks if fewest_marks else (p.sql, p.values) for p in predicates]
    values = [value for _, bound in asked for value in bound]
    return " AND ".join([sql for sql, _ in asked]) or "TRUE", values


def where_text(predicates: Sequence[Predicate]) -> str:
    """Return a WHERE clause with literals, one conjunct a line; empty for no predicates."""
    return where_of([predicate.text for predicate in predicates])


def where_of(texts: Sequence[str]) -> str:
    """Return a WHERE clause of conditions as texts, one a line; empty for none."""
    if not texts:
        return ""
    joined = "\n  AND ".join(texts)
    return f"\nWHERE {joined}"


def is_comparison(predicate: Predicate) -> bool:
    """Return whether a predicate compares one column with a few values, or looks them up in one
    list: nanoseconds a row.
    """
    if predicate.test is None or predicate.test.op in PATTERNS:
        return False
    return len(predicate.fewest_marks[1]) <= FEW_VALUES
