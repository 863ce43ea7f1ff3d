"""Read your writes: a question that names the least version it may be answered from waits for it.

It waits on the event loop, in steps that double up to 20 ms, and holds no thread.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from .problem_details import HttpProblem

if TYPE_CHECKING:
    from .state import ServedCatalog, ServerState

FIRST_PAUSE, LONGEST_PAUSE = 0.001, 0.02
"""Seconds between two looks at the version."""


AHEAD = 10_000
"""Versions ahead of the present one that no deadline is long enough for: nobody was told them."""


async def reach(
    state: ServerState, served: ServedCatalog, min_version: int | None, seconds: float
) -> float:
    """Return the seconds left once a catalog is at a version or a later one.

    Raises a 409 `HttpProblem` with the version there is where it is not within `seconds`.
    """
    if min_version is None or served.catalog.version >= min_version:
        return seconds
    if min_version > served.catalog.version + AHEAD:
        seconds = 0.0
    until, pause = time.monotonic() + seconds, FIRST_PAUSE
    while served.catalog.version < min_version:
        state.role.hurry()
        left = until - time.monotonic()
        if left <= 0:
            raise _not_reached(served.name, min_version, served.catalog.version)
        await asyncio.sleep(min(pause, left))
        pause = min(2 * pause, LONGEST_PAUSE)
        # What is called so may be another catalog by now.
        served = state.find(served.name)
    return max(until - time.monotonic(), 0.0)


def _not_reached(name: str, wanted: int, version: int) -> HttpProblem:
    return HttpProblem(
        409,
        "version-not-reached",
        f"{name} is at version {version}; version {wanted} did not come in time",
        hint="ask again, or leave min_version out",
        members={"name": name, "version": version},
    )
