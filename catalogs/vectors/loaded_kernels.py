"""The kernels over row sets, loaded at the first call: Numba takes long, and few rows need none.

An import inside a function costs microseconds each time, and these are called dozens of times in a
question.
"""

from __future__ import annotations

from functools import cache


@cache
def bitmap_kernels():
    """Return the module of the kernels."""
    from . import bitmap_kernels as loaded

    return loaded


@cache
def scan_kernels():
    """Return the module of the kernels that read a column's cells."""
    from . import scan_kernels as loaded

    return loaded
