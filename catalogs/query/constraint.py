"""The model of a constraint: one predicate on one row, with a weight; read from JSON or Python."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sized
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal, Self, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)

from ..errors import BadConstraint, excerpt, nearest
from ..unchecked_model import with_fields
from ..validation_fault import first_fault
from .exact_numbers import is_double
from .limits import check_list, check_text, present_limits
from .place_values import (
    PLACE_TESTS,
    check_place_value,
    measured_words,
    place_condition,
    place_words,
)

Scalar = bool | int | float | str | datetime | date
Value = Scalar | tuple[Scalar, ...] | None

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
LISTS = ("in", "not in")
PATTERNS = ("like", "ilike", "contains", "contains any")
NULL_TESTS = ("is null", "is not null")
OPERATORS = (*COMPARISONS, *LISTS, "between", *PATTERNS, *NULL_TESTS, *PLACE_TESTS, "sql")
NO_COLUMN = frozenset(("sql", *PLACE_TESTS))
"""Operators whose value says it all."""

SYNONYMS = {"=": "==", "<>": "!=", "not_in": "not in", "contains_any": "contains any"}

JSON_TYPES = frozenset((str, int, float, bool, type(None)))

_INCOMPARABLE = "nothing a column can be compared with"
_COMPARABLE = "give text, a number, true or false, a date, or a list of them"

MAX_INTEGER_DIGITS = 40
"""More than any column holds, and few enough to convert at once."""

MANY_FIELDS = 20
"""More fields than anything here has."""

SHOWN_VALUES = 20
"""Values of a list that stand in a sentence."""

SHOWN_TEXT = 200
"""Characters of a value, or of an expression, that stand in a sentence."""

NEUTRAL_WEIGHT = 0.5
"""The weight of a constraint nobody weighed: neither a must-have nor flexible."""


def first_complaint(error: ValidationError, kind: str) -> BadConstraint:
    """Return pydantic's first complaint as one of ours."""
    fault = first_fault(error, 1)
    field, problem, hint = fault.place or kind, fault.problem, ""
    if fault.unknown:
        hint = "leave it out"
    elif field == "value":
        problem, hint = _INCOMPARABLE, _COMPARABLE
    return BadConstraint(field, fault.given, problem, hint=hint)


class Checked(BaseModel):
    """A frozen model whose validation errors are `BadConstraint`, one line each."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=True)

    @model_validator(mode="wrap")
    @classmethod
    def _complain_in_one_line(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if type(data) is cls:
            # Frozen, so still as valid as when it was made.
            return data
        if isinstance(data, Mapping) and len(cast("Mapping[Any, Any]", data)) > MANY_FIELDS:
            cls.check_fields(cast("Mapping[Any, Any]", data))
        try:
            return handler(data)
        except ValidationError as error:
            raise first_complaint(error, cls.__name__.lower()) from None

    @classmethod
    def check_fields(cls, data: Mapping[Any, Any]) -> None:
        """Raise `BadConstraint` for the first unknown field, instead of collecting them all."""
        for name, value in data.items():
            if name not in cls.model_fields:
                raise BadConstraint(excerpt(name), value, "no such field", hint="leave it out")


class Constraint(Checked):
    """A predicate on one row: a column, an operator and a value, or any SQL boolean expression.

    `weight` in [0, 1] says how much it matters (None: not weighed, counted as
    `NEUTRAL_WEIGHT`); a `hard` constraint never gives way; constraints of one `group` give
    way together. A row whose column is NULL never satisfies it, unless `nulls="match"`.
    With `op="sql"` the value is the expression and there is no column; nor is there with `within`
    ([lat, lon, km]), `reachable` ([lat, lon, mode, minutes]) and `open at` ('YYYY-MM-DD HH:MM').

    Values by operator: a scalar for comparisons and patterns; a list for `in`, `not in`,
    `contains any`; `[low, high]`, both ends included, for `between`; nothing for `is null`,
    `is not null`. `contains` looks for a part of a text, or for one of a list column's values.

    Raises `BadConstraint` for an impossible operator, value or weight.
    """

    column: str | None = None
    op: str
    value: Value = None
    weight: float | None = None
    hard: bool = False
    group: str | None = None
    nulls: Literal["reject", "match"] = "reject"

    @model_validator(mode="before")
    @classmethod
    def _normalise(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        fields = dict(cast("Mapping[str, Any]", data))
        op = fields.get("op")
        if isinstance(op, str) and op not in OPERATORS:
            fields["op"] = SYNONYMS.get(folded := " ".join(op.lower().split()), folded)
        if type(value := fields.get("value")) not in JSON_TYPES:
            if isinstance(value, Sized):
                # Before anything is done to each of them.
                check_list(value)
            fields["value"] = _plain(value)
            _check_comparable(fields["value"])
        if isinstance(fields.get("weight"), bool):
            raise BadConstraint("weight", fields["weight"], "no number", hint="give 0 to 1")
        return fields

    def model_post_init(self, context: Any, /) -> None:
        """Check the fields together; not again where a constraint is part of something."""
        _check_operator(self.op)
        _check_column(self)
        _check_value(self.op, self.value)
        check_weight(self.weight)
        if self.group is not None:
            check_text("group", self.group, present_limits().name, "a name")

    @property
    def values(self) -> tuple[Scalar, ...]:
        """The values compared with: one, several or none."""
        if isinstance(self.value, tuple):
            return self.value
        return () if self.value is None else (self.value,)

    @property
    def importance(self) -> float:
        """The weight, or the neutral one where none was given."""
        return NEUTRAL_WEIGHT if self.weight is None else self.weight

    def record(self) -> dict[str, Any]:
        """Return the JSON object this constraint was given as, nothing added.

        The published AWARE-US shape `{"column","op","value"[,"weight"]}` comes back unchanged.
        """
        given = self.__pydantic_fields_set__
        fields = {name: value for name, value in self.__dict__.items() if name in given}
        # As pydantic would write it, in a fraction of the time: answers hold dozens of them.
        value = self.value
        if type(value) in JSON_TYPES:
            return fields
        if isinstance(value, tuple) and JSON_TYPES.issuperset(map(type, value)):
            return fields | {"value": list(value)}
        return self.model_dump(mode="json", exclude_unset=True)

    def changed(self, op: str, value: Value) -> Self:
        """Return this constraint with another operator and value, which must fit each other."""
        # As `model_copy` does, in a third of the time: an answer with shifts makes dozens.
        given = self.__pydantic_fields_set__
        if "value" not in given:
            given = given | {"value"}
        return with_fields(type(self), {**self.__dict__, "op": op, "value": value}, given)

    def __str__(self) -> str:
        """Return the constraint as a person would write it: `MSRP ≤ 24,515`."""
        return words(self)


class Objective(Checked):
    """A column to make as small or as large as possible among what is feasible.

    Its weight is on the scale of the constraints' weights. Raises `BadConstraint`.
    """

    column: str
    direction: Literal["min", "max"]
    weight: float = NEUTRAL_WEIGHT

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_weight(self.weight)
        return self


def check_weight(weight: float | None) -> None:
    """Raise `BadConstraint` unless the weight is None or a number in [0, 1]."""
    if weight is None or 0.0 <= weight <= 1.0:
        return
    hint = "weights go from 0 (easily given up) to 1 (a must-have)"
    if not math.isfinite(weight):
        raise BadConstraint("weight", weight, "not a finite number", hint=hint)
    raise BadConstraint("weight", weight, "outside 0..1", hint=hint)


def _plain(value: Any) -> Any:
    """Return sets and arrays as lists, NumPy scalars as Python values, decimals as numbers.

    A decimal that no double stands for becomes text, which a column of numbers reads exactly.
    """
    if isinstance(value, set | frozenset):
        return sorted((_plain(item) for item in cast("Iterable[Any]", value)), key=_type_and_value)
    if isinstance(value, list | tuple | range):
        return tuple(_plain(item) for item in cast("Iterable[Any]", value))
    if isinstance(value, Decimal):
        return _of_decimal(value)
    if type(value).__name__ == "NaTType":
        return math.nan
    if type(value).__name__ == "datetime64":
        # Nanoseconds would come out as a bare integer.
        moment = value.item()
        return value.astype("datetime64[us]").item() if isinstance(moment, int) else moment
    return _plain(value.tolist()) if hasattr(value, "tolist") else value


def _of_decimal(value: Decimal) -> int | float | str:
    """Return a decimal as JSON can hold it: as a number where one stands for it, else as text."""
    if not value.is_finite() or value.adjusted() >= MAX_INTEGER_DIGITS:
        return float(value)
    if value == value.to_integral_value():
        return int(value)
    if is_double(value):
        return float(value)
    return format(value, "f") if value.adjusted() > -MAX_INTEGER_DIGITS else str(value)


def _type_and_value(value: Any) -> tuple[str, Any]:
    is_number = isinstance(value, int | float)
    return ("number" if is_number else type(value).__name__, value)


def _check_comparable(value: Any) -> None:
    """Raise `BadConstraint` for a list of anything but scalars.

    Pydantic would write several complaints about each of what may be a hundred thousand.
    """
    if isinstance(value, tuple):
        for item in cast("tuple[Any, ...]", value):
            if not isinstance(item, bool | int | float | str | date):
                raise BadConstraint("value", item, _INCOMPARABLE, hint=_COMPARABLE)


def _check_operator(op: str) -> None:
    if op not in OPERATORS:
        like = nearest(op, OPERATORS, 1)
        guess = f"did you mean {excerpt(like[0])}? " if like else ""
        listed = ", ".join(OPERATORS)
        raise BadConstraint("op", op, "not an operator", hint=f"{guess}known: {listed}")


def _check_column(constraint: Constraint) -> None:
    needs_none = constraint.op in NO_COLUMN
    if needs_none and constraint.column is not None:
        problem = f'op "{constraint.op}" takes no column'
        raise BadConstraint("column", constraint.column, problem, hint="leave it out")
    if not needs_none and not constraint.column:
        raise BadConstraint("column", constraint.column, "missing", hint="name a column")


def _check_value(op: str, value: Value) -> None:
    if op in NULL_TESTS:
        if value is not None:
            raise BadConstraint("value", value, f"{op!r} takes no value", hint="leave it out")
        return
    if value is None:
        hint = 'NULL equals nothing: use op "is null" or "is not null"'
        raise BadConstraint("value", value, f"{op!r} needs a value", hint=hint)
    _SHAPES.get(op, _check_scalar)(op, value)
    kind = "a pattern" if op in PATTERNS else "a text"
    most = present_limits().pattern if op in PATTERNS else present_limits().text
    for scalar in value if isinstance(value, tuple) else (value,):
        # A whole expression has limits of its own, where it is parsed.
        if isinstance(scalar, str) and op != "sql":
            check_text("value", scalar, most, kind)
        _check_storable(scalar)


def _check_list(op: str, value: Value) -> None:
    if not isinstance(value, tuple):
        raise BadConstraint("value", value, f"{op!r} needs a list", hint="write [value, …]")
    if not value:
        raise BadConstraint("value", [], f"{op!r} needs at least one value", hint="leave it out")


def _check_pair(op: str, value: Value) -> None:
    if not isinstance(value, tuple) or len(value) != 2:
        raise BadConstraint("value", value, f"{op!r} needs two ends", hint="write [low, high]")


def _check_text(op: str, value: Value) -> None:
    if not isinstance(value, str):
        raise BadConstraint("value", value, f"{op!r} compares text", hint="give a string")


def _check_texts(op: str, value: Value) -> None:
    _check_list(op, value)
    for item in cast("tuple[Scalar, ...]", value):
        _check_text(op, item)


def _check_scalar(op: str, value: Value) -> None:
    if isinstance(value, tuple):
        raise BadConstraint(
            "value", list(value), f"{op!r} takes one value", hint='use "in" for a list'
        )


def _check_storable(value: Scalar) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise BadConstraint("value", value, "not a finite number", hint="give a finite bound")
    if isinstance(value, int) and not -(2**127) <= value < 2**128:
        raise BadConstraint("value", value, "more than 128 bits", hint="give a smaller number")
    problem = character_problem(value) if isinstance(value, str) else None
    if problem:
        raise BadConstraint("value", value, f"holds {problem[1]}", hint="remove it")


def character_problem(text: str) -> tuple[int, str] | None:
    """Return where and what is the first character that no database can hold, if any."""
    match = re.search("[\0\ud800-\udfff]", text)
    if not match:
        return None
    return match.start(), "a NUL character" if match[0] == "\0" else "half a character"


_SHAPES: dict[str, Callable[[str, Value], None]] = {
    "in": _check_list,
    "not in": _check_list,
    "between": _check_pair,
    "like": _check_text,
    "ilike": _check_text,
    "contains": _check_text,
    "contains any": _check_texts,
    "sql": _check_text,
    **dict.fromkeys(PLACE_TESTS, check_place_value),
}

SYMBOLS = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥"}
"""What operators are written as for a person, where that is not as they are."""


def spoken(value: object, column: str = "") -> str:
    """Return a value for a person: thousands separated except in years, text as it is.

    Moments are written as JSON writes them, and so are numbers of more digits than a double has.
    """
    grouped = not _holds_years(column)
    if isinstance(value, float):
        if not value.is_integer():
            return f"{value:,.10g}" if grouped else f"{value:.10g}"
        if abs(value) >= 2**53:
            return repr(value)
    elif isinstance(value, bool) or not isinstance(value, int):
        return _spoken_otherwise(value)
    return f"{int(value):,}" if grouped else str(int(value))


@lru_cache(maxsize=4_096)
def _holds_years(column: str) -> bool:
    """Return whether a column holds years, by its name."""
    name = column.casefold()
    return "year" in name or "vintage" in name


def _spoken_otherwise(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, Decimal):
        return format(value, ",f") if abs(value.adjusted()) < MAX_INTEGER_DIGITS else str(value)
    if isinstance(value, list):
        return ", ".join(map(str, cast("list[object]", value)))
    return str(value)


NO_LABELS: Mapping[str, str] = {}


def words(constraint: Constraint, labels: Mapping[str, str] = NO_LABELS) -> str:
    """Return the constraint as a person would write it: `MSRP ≤ 24,515`.

    `labels` say what columns are called, where that is not their name.
    """
    if constraint.op == "sql":
        return shown_text(str(constraint.value).rstrip("; \n"))
    if constraint.op in PLACE_TESTS:
        return place_words(constraint.op, constraint.value)
    column = constraint.column or ""
    measured = measured_words(column) if "(" in column else None
    named = measured[0] if measured else labels.get(column, column)
    return f"{named} {condition(constraint)}"


def condition(constraint: Constraint) -> str:
    """Return what a constraint asks of its column, as a person would write it: `≤ 24,515`."""
    column, op, value = constraint.column or "", constraint.op, constraint.value
    if op in NULL_TESTS:
        return op
    measured = measured_words(column) if "(" in column else None
    if measured is not None:
        bare = constraint.model_copy(update={"column": None})
        return f"{condition(bare)} {measured[1]}"
    if op in PLACE_TESTS:
        return place_condition(op, value)
    if isinstance(value, tuple):
        if op != "between":
            return f"{op} {_listed(value, column)}"
        low, high = value
        return f"between {spoken(low, column)} and {spoken(high, column)}"
    return f"{SYMBOLS.get(op, op)} {shown_text(spoken(value, column))}"


def _listed(values: tuple[Scalar, ...], column: str) -> str:
    """Return a list for a person: the first of many values, and how many there are."""
    first = [spoken(value, column) for value in values[:SHOWN_VALUES]]
    text = ", ".join(first)
    if len(values) <= SHOWN_VALUES and len(text) <= SHOWN_TEXT:
        return text
    return f"{shown_text(', '.join([*first, '…']))} ({len(values):,} values)"


def shown_text(text: str, most: int = SHOWN_TEXT) -> str:
    """Return a text for a sentence, cut where it is longer than `most` characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
