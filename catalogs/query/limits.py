"""How much one query may hold, in one place: values of a list, characters of a text, constraints.

The limits hold for every caller, since an answer takes time and memory for each value asked for. A
program that needs more raises them for a block of its own:

    with query_limits(list_values=1_000_000):
        constraint = Constraint(column="sku", op="in", value=skus)

Only making a constraint or a query is limited: made, it can be asked anywhere. Costs one reading
of a context variable for each.
"""

from __future__ import annotations

from collections.abc import Generator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TypedDict, Unpack

from ..errors import BadConstraint, QueryError

MAX_CONSTRAINTS = 64
"""Row masks are one 64-bit word."""


@dataclass(frozen=True)
class QueryLimits:
    """The most that a constraint, and a query, may hold; see each."""

    list_values: int = 10_000
    """Values of one `in` or `not in`: search results or a customer's orders, not a table."""

    query_values: int = 30_000
    """Values of all lists of one query, base included."""

    text: int = 10_000
    """Characters of a text to compare with, or of one in a list."""

    pattern: int = 1_000
    """Characters of a pattern of `like`, `ilike`, `contains`: each may be tried at every place."""

    name: int = 200
    """Characters of a group's name; a column's has to be one of the catalog's."""


class Limits(TypedDict, total=False):
    """The limits by name."""

    list_values: int
    query_values: int
    text: int
    pattern: int
    name: int


_DEFAULTS = QueryLimits()
_present: ContextVar[QueryLimits] = ContextVar("query_limits", default=_DEFAULTS)
_RAISE = "in Python, concede.query_limits raises the limit"


def present_limits() -> QueryLimits:
    """Return the limits that hold here."""
    return _present.get()


@contextmanager
def query_limits(**limits: Unpack[Limits]) -> Generator[QueryLimits]:
    """Have other limits hold for queries made in this block, by the names of `QueryLimits`."""
    token = _present.set(replace(_present.get(), **limits))
    try:
        yield _present.get()
    finally:
        _present.reset(token)


def check_list(value: Sized) -> None:
    """Raise `BadConstraint` for a list of more values than a constraint may have."""
    most = _present.get().list_values
    if len(value) > most:
        problem = f"a list of {len(value):,} values, and {most:,} is the most"
        hint = f"compare a column that tells these rows apart; {_RAISE}"
        raise BadConstraint("value", value, problem, hint=hint)


def check_text(field: str, text: str, most: int, kind: str = "text") -> None:
    """Raise `BadConstraint` for a text of more characters than may be."""
    if len(text) > most:
        problem = f"{kind} of {len(text):,} characters, and {most:,} is the most"
        raise BadConstraint(field, text, problem, hint=f"shorten it; {_RAISE}")


def check_count(kind: str, count: int, most: int) -> None:
    """Raise `QueryError` for more parts of a query than there may be."""
    if count > most:
        hint = "join some of them into one SQL expression"
        raise QueryError(f"{count:,} {kind}, and {most:,} is the most", hint=hint)


def check_query_values(values: int) -> None:
    """Raise `QueryError` for a query whose lists hold more values together than they may."""
    most = _present.get().query_values
    if values > most:
        problem = f"its lists hold {values:,} values together, and {most:,} is the most"
        raise QueryError(problem, hint=f"ask for fewer; {_RAISE}")
