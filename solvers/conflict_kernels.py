# pyright: basic, reportCallIssue=false
"""A Numba kernel that looks for one conflict in the words of rows.

Numba is untyped, so this file is checked less strictly.
"""

from __future__ import annotations

import numpy as np

from ..catalogs.vectors.array_types import Longs
from ..catalogs.vectors.numba_kernel import kernel, reads
from ..catalogs.vectors.packed_kernels import words_at
from .masks import Masks

BLOCK = 64
"""Words taken together: a few are compared at once, and left when none of their rows is left."""


@kernel(reads("i8"), reads("u8"))
def most_met(addresses: Longs, rows: Masks) -> int:
    """Return how many constraints, from the first on, some row meets together at most.

    addresses: int64[k], where the words of each constraint begin; rows: uint64[n], those that
    count. A block of words is left where none of its rows is left: after a dozen constraints that
    half of the rows meet.
    """
    most = 0
    left = np.empty(BLOCK, dtype=np.uint64)
    for start in range(0, rows.shape[0], BLOCK):
        count = min(BLOCK, rows.shape[0] - start)
        left[:count] = rows[start : start + count]
        met = 0
        while met < addresses.shape[0]:
            words = words_at(addresses[met])
            some = np.uint64(0)
            for at in range(count):
                left[at] &= words[start + at]
                some |= left[at]
            if some == 0:
                break
            met += 1
        most = max(most, met)
    return most
