"""Type aliases of NumPy arrays, named for the type of an element."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Words = NDArray[np.uint64]
"""Bit i of word w is row 64·w + i."""

Ids = NDArray[np.uint32]
Octets = NDArray[np.uint8]
Records = NDArray[np.void]
"""Record arrays; their dtypes say what fields there are."""
