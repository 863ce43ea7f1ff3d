# pyright: basic, reportCallIssue=false
"""Numba kernels over the codes and hashes of a column of texts: which rows hold one of them.

Bit i of word w of a set is row 64·w + i. Numba is untyped, so this file is checked less strictly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .array_types import Words
from .numba_kernel import kernel, reads, writes


def _add_equal(codes: NDArray[np.integer], code: int, words: Words) -> None:
    """Add the rows whose code is `code` to a set.

    codes: integers[n]; words: uint64[at least ⌈n / 64⌉]. Compares 64 rows at once,
    a byte each, and packs eight bytes into one by a multiplication: as fast as codes are read.
    """
    met = np.zeros(64, dtype=np.uint8)
    eights = met.view(np.uint64)
    for word in range((codes.shape[0] + 63) >> 6):
        some = codes[word << 6 : (word + 1) << 6]
        if some.shape[0] < 64:
            met[:] = 0
        for at in range(some.shape[0]):
            met[at] = some[at] == code
        bits = np.uint64(0)
        for eight in range(8):
            packed = (eights[eight] * np.uint64(0x0102040810204080)) >> np.uint64(56)
            bits |= packed << np.uint64(8 * eight)
        words[word] |= bits


add_equal = {
    np.dtype(integer): kernel(reads(integer), "i8", writes("u8"))(_add_equal)
    for integer in ("u1", "u2", "i8")
}
"""`_add_equal` by the type of the codes."""
