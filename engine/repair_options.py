"""How a repair is asked for: one set of options for every engine, checked when it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import TypedDict, Unpack, cast

from ..catalogs.deadline import check_seconds
from ..catalogs.errors import QueryError, excerpt
from ..catalogs.versions.sorted_rows import SortKey
from ..solvers.limits import DEFAULT_DEADLINE, check_count
from .answer import Rank
from .policies import DEFAULT_POLICY, get_policy

DEFAULT_TOP = 5
ORDERS = ("cost", "diverse")
RANKS: tuple[Rank, ...] = ("score", "near")
MAX_OFFSET = 1_000
"""Items that may be skipped: a page further on is better asked for with another constraint."""

POOL_FACTOR = 10
"""Diverse repairs are chosen among this many times as many cheapest ones."""


class RepairKeywords(TypedDict, total=False):
    """The fields of `RepairOptions` as keywords of a call."""

    policy: str
    top: int
    offset: int
    sort: Sequence[SortKey]
    order: str
    rank: Rank | None
    priority: Sequence[str]
    solver: str | None
    deadline: float | None
    sample: float | None


@dataclass(frozen=True, kw_only=True)
class RepairOptions:
    """The options of a repair; raises a `QueryError` for what does not exist or is of no use.

    `policy` is how what gives way is chosen (`engine.policies`; `priority` names the columns
    for the policy of that name); `top` bounds alternatives, shifts, items and near misses each;
    `order` of the alternatives is `"cost"` or `"diverse"`; `rank` of the items is `"score"`, or
    `"near"`: those nearest to the bounds that gave way first, the best score among equals; None
    for `"near"` once something gave way. `offset` items are left out before the `top` listed;
    `sort` orders them by columns instead. `solver` is the engine's own if None; after `deadline`
    seconds the search ends with what it has, None for never. `sample` is the share of the rows of a
    remote catalog to look for repairs in; None for all.
    """

    policy: str = DEFAULT_POLICY
    top: int = DEFAULT_TOP
    offset: int = 0
    sort: Sequence[SortKey] = ()
    order: str = "cost"
    rank: Rank | None = None
    priority: Sequence[str] = ()
    solver: str | None = None
    deadline: float | None = DEFAULT_DEADLINE
    sample: float | None = None

    def __post_init__(self) -> None:
        check_count("top", self.top)
        check_seconds(self.deadline)
        _check_listed("sort", self.sort, SortKey, "list keys such as SortKey('price')")
        _check_listed("priority", self.priority, str, "list the names of columns")
        if not isinstance(self.offset, Integral) or not 0 <= self.offset <= MAX_OFFSET:
            hint = f"skip 0 to {MAX_OFFSET:,} items"
            raise QueryError(f"offset is {excerpt(self.offset)}", hint=hint)
        get_policy(self.policy)
        if self.order not in ORDERS:
            raise QueryError(f"no order {excerpt(self.order)}", hint=f"orders: {', '.join(ORDERS)}")
        if self.rank is not None and self.rank not in RANKS:
            raise QueryError(f"no rank {excerpt(self.rank)}", hint=f"ranks: {', '.join(RANKS)}")

    @property
    def pool(self) -> int:
        """How many of the cheapest repairs to choose the alternatives among."""
        return self.top * POOL_FACTOR if self.order == "diverse" else self.top

    def changed(self, **changes: Unpack[RepairKeywords]) -> RepairOptions:
        """Return these options with some of them changed."""
        return replace(self, **changes) if changes else self


def _check_listed(name: str, listed: object, kind: type, hint: str) -> None:
    parts = cast("Sequence[object]", listed if isinstance(listed, Sequence) else [listed])
    for part in parts:
        if not isinstance(part, kind):
            raise QueryError(f"{name} is {excerpt(part)}", hint=hint)


DEFAULT_OPTIONS = RepairOptions()
