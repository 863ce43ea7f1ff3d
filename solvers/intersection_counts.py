"""How many rows, or whether any, lie in several row sets at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..catalogs.vectors.array_types import Words
from ..catalogs.vectors.row_set import RowSet

AT_ONCE = 4


def count_all(sets: Sequence[RowSet]) -> int:
    """Return how many rows lie in all of the sets.

    Four sets are read side by side: at 10⁶ rows that is 500 KB read once. More sets are first
    brought to four. Raises `ValueError` without a set.
    """
    from .kernels import count_common

    return count_common(*_four(sets))


def any_row(sets: Sequence[RowSet]) -> bool:
    """Return whether some row lies in all of the sets; stops at the first block that tells.

    Raises `ValueError` without a set.
    """
    from .kernels import any_common

    return any_common(*_four(sets))


def _four(sets: Sequence[RowSet]) -> tuple[Words, Words, Words, Words]:
    if not sets:
        raise ValueError("no row sets: give at least one")
    words = [rows.flat for rows in sets[:AT_ONCE]]
    if len(sets) > AT_ONCE:
        words[-1] = np.bitwise_and.reduce([rows.flat for rows in sets[AT_ONCE - 1 :]])
    while len(words) < AT_ONCE:
        words.append(words[-1])
    return words[0], words[1], words[2], words[3]
