"""The statements of one answer as this package writes them, for whichever engine holds the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import by_hand
from .data import QUERY

if TYPE_CHECKING:
    from ...catalogs.remote.remote_snapshot import RemoteSnapshot

KEYS = (5, 77, 4_711, 9_999)


@dataclass(frozen=True)
class Statement:
    """One question: how we ask it, and the SQL somebody writes by hand for it."""

    name: str
    ask: Callable[[RemoteSnapshot], object]
    hand: Callable[[str], str]


def _histogram(catalog: Any) -> object:
    return catalog.execute(histogram_of(catalog))


def histogram_of(catalog: Any) -> Any:
    """Return the mask histogram, first keys and ends as one expression."""
    bound = [catalog.bind(constraint) for constraint in QUERY.constraints]
    bits = {f"b{bit}": catalog.expression(each) for bit, each in enumerate(bound)}
    table = catalog.table
    ends = catalog.end_expressions(table, by_hand.MEASURED)
    firsts = {"n": table.count(), "first": table[catalog.key].min()}
    return table.group_by(**bits).aggregate(**firsts, **ends)


def _count(catalog: RemoteSnapshot) -> object:
    return catalog.count([catalog.bind(constraint) for constraint in QUERY.constraints[2:]])


STATEMENTS = (
    Statement("histogram, first keys, ends", _histogram, by_hand.histogram),
    Statement("count", _count, by_hand.count),
    Statement(
        "four rows by key",
        lambda catalog: catalog.fetch(KEYS),
        lambda source: by_hand.rows(source, KEYS),
    ),
)
