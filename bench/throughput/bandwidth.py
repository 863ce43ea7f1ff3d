# pyright: basic
"""A kernel that sums 64-bit words, for read bandwidth. Numba is untyped, hence basic checks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...catalogs.vectors.numba_kernel import kernel, reads


@kernel(reads("u8"))
def read_words(words: NDArray[np.uint64]) -> np.uint64:
    """Return the sum of all words, uint64[n]: reads each once and writes nothing."""
    total = np.uint64(0)
    for index in range(words.shape[0]):
        total += words[index]
    return total
