"""Record arrays that kernels over rows take: one record for each constraint, term or question.

One argument instead of one for each field, and the fields of a record lie in one cache line.
Columns are given by address: float64[rows], which whoever builds the records keeps alive.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

JUST_OUTSIDE = 1e-9
"""The distance of a row that sits on a strict bound."""

Records = NDArray[np.void]

BOUND = np.dtype(
    [
        ("column", np.int64),
        ("low", np.float64),
        ("high", np.float64),
        ("span", np.float64),
        ("weight", np.float64),
    ]
)
"""The interval a constraint allows on a column, at the constraint's position.

`column` is 0 for a constraint without an order; `weight` is 0 for one that may not give way.
"""

TERM = np.dtype(
    [
        ("column", np.int64),
        ("direction", np.int64),
        ("low", np.float64),
        ("high", np.float64),
        ("weight", np.float64),
    ]
)
"""A summand of the score: `direction` 1 for more is better, −1 for less, 0 for membership."""

PROBE = np.dtype(
    [
        ("keep", np.uint64),
        ("inside", np.uint64),
        ("first", np.int64),
        ("nearest", np.int64),
        ("cost", np.float64),
        ("distance", np.float64),
        ("sampled", np.int64),
    ]
)
"""The masks that `probe_rows` reads, then what it writes: two rows, −1 for none; the nearest
row's sums of weight × distance and of distances; and how many rows went to the sample."""

SAMPLE = np.dtype([("row", np.int64), ("violation", np.float64)])
"""A row and its sum of weight × distance over all constraints."""

SHIFT = np.dtype(
    [("keep", np.uint64), ("moved", np.uint64), ("witness", np.int64), ("count", np.int64)]
)
"""Masks of the constraints kept and of the bounds moved to the row `witness`; `count` is written:
the rows that then match."""
