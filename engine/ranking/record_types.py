"""Records that kernels over rows read and write: what they hold, as NumPy types."""

from __future__ import annotations

import numpy as np

BOUND = np.dtype(
    [("column", "i8"), ("low", "f8"), ("high", "f8"), ("span", "f8"), ("weight", "f8")]
)
"""The interval a constraint allows on a column, at the constraint's position.

`column` is 0 for a constraint without an order; `weight` is 0 for one that may not give way.
"""

TERM = np.dtype(
    [("column", "i8"), ("direction", "i8"), ("low", "f8"), ("high", "f8"), ("weight", "f8")]
)
"""A summand of the score: `direction` 1 for more is better, −1 for less, 0 for membership."""

PROBE = np.dtype(
    [
        ("keep", "u8"),
        ("inside", "u8"),
        ("first", "i8"),
        ("nearest", "i8"),
        ("cost", "f8"),
        ("distance", "f8"),
        ("sampled", "i8"),
        ("ranges", "i8"),
        ("end", "i8"),
    ]
)
"""The masks that `probe_rows` reads, then what it writes: two rows, −1 for none; the nearest
row's sums of weight × distance and of distances; and how many rows went to the sample. Last, read
again, where the ranges are that the nearest row lies in."""

SHIFT = np.dtype([("keep", "u8"), ("moved", "u8"), ("witness", "i8"), ("count", "i8")])
"""Masks of the constraints kept and of the bounds moved to the row `witness`; `count` is written:
the rows that then match."""

UNIT = np.dtype([("members", "u8"), ("price", "i8"), ("movable", "i8"), ("position", "i8")])
"""What gives way together: its mask; its price in steps of 10⁻¹², −1 where it may not; and whether
it is one bound that may move, 1 or 0, at this position."""
