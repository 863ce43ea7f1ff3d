"""A sample of a remote catalog: the rows whose hashed keys are low, the same every time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..catalogs.remote.remote_snapshot import RemoteSnapshot

PRIME, FACTOR = 1_000_003, 7_919
"""Keys are spread over so many remainders by such a step, whatever their order."""


def sampled(catalog: RemoteSnapshot, table: Any, share: float) -> Any:
    """Return the rows of a table that a sample has: the same ones every time."""
    if share >= 1.0:
        return table
    spread = ((table[catalog.key] % PRIME + PRIME) % PRIME * FACTOR) % PRIME
    return table.filter(spread < max(1, round(share * PRIME)))
