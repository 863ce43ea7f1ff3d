# pyright: basic, reportCallIssue=false
"""The decorator that compiles kernels by Numba and keeps them on disk; bits of a word.

Each kernel declares the types it takes, so that all can be compiled in advance (`concede warm`)
and none is compiled twice, for arrays that may be written and for those that may not. Numba is
untyped, so this file is checked less strictly.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import njit, types
from numba.core.caching import _CacheLocator
from numba.extending import intrinsic

from .kernel_cache import inlined_digest, is_kept_where_looked_first

BLOCK_WORDS = 1_024
"""Words of which those that hold a row are listed together."""

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def reads(dtype: Any, ndim: int = 1) -> Any:
    """Return the type of an array that is only read, contiguous: any such array is taken."""
    array: Any = numba.typeof(np.empty((0,) * ndim, dtype=dtype))
    return array.copy(readonly=True)


def writes(dtype: Any, ndim: int = 1) -> Any:
    """Return the type of an array that is written to, contiguous."""
    return numba.typeof(np.empty((0,) * ndim, dtype=dtype))


@dataclass(frozen=True)
class DeclaredKernel:
    """A kernel and the types of its arguments."""

    dispatcher: Any
    signature: tuple[Any, ...]

    @property
    def module(self) -> str:
        """The module the kernel is defined in."""
        return self.dispatcher.py_func.__module__

    @property
    def file(self) -> str | None:
        """The file Numba lists the compiled kernel in, None where it is kept nowhere."""
        folder, code = self.dispatcher.stats.cache_path, self.dispatcher.py_func.__code__
        name = f"{Path(code.co_filename).stem}.{code.co_name}-{code.co_firstlineno}.*.nbi"
        return next(map(str, Path(folder).glob(name)), None) if folder else None

    def prepare(self) -> bool:
        """Load the kernel from disk, or compile it and write it there; return whether it had to.

        Afterwards it takes the types declared alone, instead of compiling for others.
        """
        if self.signature not in self.dispatcher.signatures:
            self.dispatcher.compile(self.signature)
        self.dispatcher.disable_compile()
        return bool(self.dispatcher.stats.cache_misses) or not self.dispatcher.stats.cache_path


_IS_THERE = is_kept_where_looked_first()

DECLARED: list[DeclaredKernel] = []
"""The kernels of the modules imported so far."""


def kernel(*types_taken: Any) -> Callable[[Kernel], Kernel]:
    """Declare a kernel by the types of its arguments: `reads`, `writes`, or a scalar as "i8".

    It is compiled by `DeclaredKernel.prepare`, or else at its first call; callers see the type
    that it is written with.
    """
    signature = tuple(
        numba.from_dtype(np.dtype(one)) if isinstance(one, str) else one for one in types_taken
    )

    def declared(function: Kernel) -> Kernel:
        dispatcher = _dispatcher(function)
        DECLARED.append(DeclaredKernel(dispatcher, signature))
        return cast("Kernel", dispatcher)

    return declared


def _dispatcher(function: Callable[..., object]) -> Any:
    try:
        with _folder_as_it_is():
            dispatcher: Any = njit(nogil=True, cache=True)(function)
    except RuntimeError:
        # No folder to cache in can be written: every process compiles for itself.
        return njit(nogil=True)(function)
    # Numba looks at the kernel's own file, and would keep what was inlined from another.
    cached = dispatcher._cache._cache_file
    cached._source_stamp = cached._source_stamp, inlined_digest()
    return dispatcher


@contextmanager
def _folder_as_it_is() -> Generator[None]:
    """Have Numba read a folder that cannot be written, where all that is needed is there.

    It leaves such a folder out, and would compile everything: in an image that is read only, or
    that another user made.
    """
    if not _IS_THERE:
        yield
        return
    checked = _CacheLocator.ensure_cache_path
    _CacheLocator.ensure_cache_path = lambda self: None
    try:
        yield
    finally:
        _CacheLocator.ensure_cache_path = checked


@intrinsic
def lowest_bit(typingctx, bits):
    """Return the place of the lowest bit set."""

    def code(context, builder, signature, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), code


@njit(nogil=True)
def list_ids(words, ids):
    """Write the ids in a set, ascending, and return how many there are.

    words: uint64[n]; ids: uint32, with room for all.
    """
    count = 0
    occupied = np.empty(BLOCK_WORDS, dtype=np.int64)
    for start in range(0, words.shape[0], BLOCK_WORDS):
        # Without a branch, which would be guessed wrong every other time.
        found = 0
        for word in range(start, min(words.shape[0], start + BLOCK_WORDS)):
            occupied[found] = word
            found += np.int64(words[word] != 0)
        for at in range(found):
            word = occupied[at]
            bits = words[word]
            while bits != 0:
                ids[count] = np.uint32((word << 6) + lowest_bit(bits))
                count += 1
                bits &= bits - np.uint64(1)
    return count


@intrinsic
def popcount(typingctx, bits):
    """Return how many bits are set, by the processor's own instruction."""

    def code(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.uint64), code


@intrinsic
def wide_vectors(typingctx):
    """Have the kernel that calls this use vectors of 64 bytes, where the processor has them.

    LLVM takes half of that by default, since the first processors with such vectors slowed down.
    """

    def code(context, builder, signature, args):
        # llvmlite lets only attributes without a value be added by its own `add`.
        set.add(builder.function.attributes, '"prefer-vector-width"="512"')
        return context.get_dummy_value()

    return types.none(), code


@intrinsic
def borrowed(typingctx, array):
    """Return an array that counts no references, for the inner loops of a kernel.

    Whoever called the kernel holds the array meanwhile. Numba counts the references of an array
    that is handed to an inlined function: two locked additions a call, some 20 ns a row.
    """

    def code(context, builder, signature, args):
        bare = context.make_array(array)(context, builder, value=args[0])
        bare.meminfo = context.get_constant_null(types.voidptr)
        bare.parent = context.get_constant_null(types.pyobject)
        return bare._getvalue()

    return array(array), code
