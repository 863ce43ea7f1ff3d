"""How much the answer to a question changes: what is found, or else what gives way.

Each option is one intersection of row sets and, where nothing fits, one repair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...catalogs.versions.reader import CatalogReader
from ...engine.repair_engine import RepairEngine

REPAIRS = 0.5
"""Seconds that one trial repair may take."""


@dataclass(frozen=True)
class Stakes:
    """Counts rows under the clear constraints and one more, and compares them."""

    catalog: CatalogReader
    clear: tuple[Constraint, ...]

    def rows(self, option: Constraint | None) -> NDArray[np.uint32]:
        """Return the ids, ascending, of the rows that meet what is clear and an option."""
        wishes = self.clear if option is None else (*self.clear, option)
        return self.catalog.slice(map(self.catalog.bind, wishes)).ids

    def effect(self, found: Sequence[NDArray[np.uint32]]) -> float:
        """Return the share of the rows that any option finds that the answer decides about.

        A row that half of the options find counts 1, one that all find 0.
        """
        if not found:
            return 0.0
        rows, times = np.unique(np.concatenate(found), return_counts=True)
        if not len(rows):
            return 0.0
        share = times / len(found)
        return float(np.mean(4.0 * share * (1.0 - share)))

    def repairs_differ(self, options: Sequence[Constraint | None]) -> bool:
        """Return whether what gives way, or what is found then, depends on the option."""
        answers = {self._repaired(option) for option in options}
        return len(answers) > 1

    @cached_property
    def _engine(self) -> RepairEngine:
        return RepairEngine(self.catalog)

    def _repaired(self, option: Constraint | None) -> tuple[object, ...]:
        """Return which of the clear constraints give way, and the first row offered."""
        wishes = self.clear if option is None else (*self.clear, option)
        answer = self._engine.repair(Query(constraints=wishes), top=1, deadline=REPAIRS)
        given = {(wish.column, wish.op, wish.value) for wish in answer.relaxed}
        at = (n for n, w in enumerate(self.clear) if (w.column, w.op, w.value) in given)
        return (*at, *(f"row {item.row_id}" for item in answer.items))
