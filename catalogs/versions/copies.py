"""Services answer from copies: what stays in its database is refused before anybody asks."""

from __future__ import annotations

from typing import Any

from ..errors import CatalogError
from .reader import CatalogReader


def check_copied(catalog: CatalogReader) -> None:
    """Raise `CatalogError` for a catalog whose rows stay where they are."""
    snapshot: Any = catalog.snapshot()
    if snapshot.is_remote:
        raise CatalogError(
            f"{snapshot.name!r} stays at {snapshot.sessions.place}: services answer from copies",
            hint="export it to Parquet and serve the file; repair and diagnose ask it where it is",
        )
