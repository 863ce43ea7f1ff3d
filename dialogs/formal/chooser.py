"""Who chooses among the edits of a conflict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...catalogs.constraint import Constraint
from .edits import Edit


class Chooser(Protocol):
    """Picks one of the edits shown."""

    def choose(self, core: Sequence[Constraint], edits: Sequence[Edit]) -> int | None:
        """Return the place of the edit to make; None, or a place not shown, is no answer."""
        ...


class CheapestEdit:
    """Takes the edit shown first: the offline stand-in for a model."""

    def choose(self, core: Sequence[Constraint], edits: Sequence[Edit]) -> int | None:
        """See `Chooser.choose`."""
        return 0 if edits else None
