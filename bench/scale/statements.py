"""The statements of one answer as this package writes them, for whichever engine holds the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

from ...engine.bound_query import bind
from ...engine.ranking.interface import RowRanker
from ...engine.repair_context import row_ranker
from ...solvers.histogram import MaskHistogram
from ...solvers.limits import Budget
from ...solvers.masks import mask_of
from ...solvers.remote_histogram import remote_histogram
from . import by_hand
from .data import QUERY

if TYPE_CHECKING:
    from ...catalogs.remote.remote_snapshot import RemoteSnapshot
    from ...catalogs.versions.reader import CatalogReader

KEYS = (5, 77, 4_711, 9_999)
RANKED = ("items", "near misses")
DROPPED, TOP = (0, 1), 10
"""Positions of the constraints that give way, and how many rows are shown."""


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
    ends = catalog.end_expressions(table, by_hand.MEASURED, finite=False)
    firsts = {"n": table.count(), "first": table[catalog.key].min()}
    return table.group_by(**bits).aggregate(**firsts, **ends)


def _count(catalog: RemoteSnapshot) -> object:
    return catalog.count([catalog.bind(constraint) for constraint in QUERY.constraints[2:]])


_histograms: WeakKeyDictionary[Any, tuple[MaskHistogram, dict[str, Any]]] = WeakKeyDictionary()


def ranker_of(catalog: RemoteSnapshot) -> RowRanker:
    """Return a ranker that has no row yet; masks are counted once for each catalog."""
    bound: Any = bind(cast("CatalogReader", catalog), QUERY)
    if catalog not in _histograms:
        bound.base.wanted = tuple(bound.measured)
        histogram = remote_histogram(bound.problem, Budget(None))
        ends = {name: bound.base.ends(name) for name in bound.measured}
        _histograms[catalog] = histogram, ends
    histogram, ends = _histograms[catalog]
    bound.base.take_ends(ends)
    return row_ranker(bound, None, histogram)


def _items(catalog: RemoteSnapshot) -> object:
    ranker, (histogram, _) = ranker_of(catalog), _histograms[catalog]
    dropped = frozenset(DROPPED)
    full = (1 << len(QUERY.constraints)) - 1
    count = histogram.count_mask(full & ~mask_of(dropped))
    return ranker.rank_near(dropped, count, TOP)


def _near_misses(catalog: RemoteSnapshot) -> object:
    return ranker_of(catalog).closest(TOP)


STATEMENTS = (
    Statement("histogram, first keys, ends", _histogram, by_hand.histogram),
    Statement("count", _count, by_hand.count),
    Statement(
        "four rows by key",
        lambda catalog: catalog.fetch(KEYS),
        lambda source: by_hand.rows(source, KEYS),
    ),
    Statement("items", _items, lambda source: by_hand.items(source, DROPPED, TOP)),
    Statement("near misses", _near_misses, lambda source: by_hand.near_misses(source, TOP)),
)
