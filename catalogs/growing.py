"""Arrays that a later version shares with the earlier one as far as it has not changed."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Cell = TypeVar("Cell", bound=np.generic)

SPARE = 8
"""A copied array gets room for one more cell in so many."""


def edited(
    values: NDArray[Cell],
    room: NDArray[Cell] | None,
    places: NDArray[np.integer],
    replaced: NDArray[Any],
    appended: NDArray[Any],
) -> tuple[NDArray[Cell], NDArray[Cell]]:
    """Return the array with some cells replaced and others appended, and the room it lies in.

    `room` is an array that begins with `values` and goes on with cells nobody reads, where the
    next are written: appending alone copies nothing. Replacing copies the array, so `values`
    itself never changes. Only the newest of a line of versions may be edited.
    """
    old, total = len(values), len(values) + len(appended)
    if len(places) or room is None or len(room) < total:
        room = np.empty(total + total // SPARE, dtype=values.dtype)
        room[:old] = values
        room[places] = replaced
    room[old:total] = appended
    made = room[:total]
    made.flags.writeable = False
    return made, room
