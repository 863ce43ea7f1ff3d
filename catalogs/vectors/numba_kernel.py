# pyright: basic, reportCallIssue=false
"""The decorator that compiles kernels by Numba and keeps them on disk; bits of a word.

The first call in a fresh installation compiles; later processes load what was compiled. Numba is
untyped, so this file is checked less strictly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit, types
from numba.extending import intrinsic

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def kernel(function: Kernel) -> Kernel:
    """Compile a function on its first call; callers see the type it is written with."""
    try:
        return cast("Kernel", njit(nogil=True, cache=True)(function))
    except RuntimeError:
        # No folder to cache in can be written: every process compiles for itself.
        return cast("Kernel", njit(nogil=True)(function))


@intrinsic
def lowest_bit(typingctx, bits):
    """Return the place of the lowest bit set."""

    def code(context, builder, signature, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), code


@intrinsic
def popcount(typingctx, bits):
    """Return how many bits are set, by the processor's own instruction."""

    def code(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.uint64), code
