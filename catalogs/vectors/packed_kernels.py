# pyright: basic, reportCallIssue=false
"""Parts of kernels that read a packed column, given by the address of its description.

All of it is inlined. Numba's cache notices a change of a kernel's own file alone: after a change
here, remove the `.nbi` files of the kernels. See `PackedNumbers.description`; which type the cells
have is a branch that the processor guesses, as it is the same for every row.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types
from numba.extending import intrinsic


def array_at(element):
    """Return an intrinsic that takes an address, int64, for a pointer to such elements."""

    @intrinsic
    def pointer(typingctx, address):
        def code(context, builder, signature, args):
            return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

        return types.CPointer(element)(types.int64), code

    return pointer


octets_at = array_at(types.uint8)
words_at = array_at(types.uint64)
doubles_at = array_at(types.float64)
singles_at = array_at(types.float32)
quads_at = array_at(types.uint32)
pairs_at = array_at(types.uint16)
longs_at = array_at(types.int64)


@njit(nogil=True)
def number_at(column, row):
    """Return the number of a row, NaN for NULL; column: the address of its description."""
    fields = longs_at(column)
    kind = fields[1]
    if kind == 0:
        return doubles_at(fields[0])[row]
    if kind == 1:
        return np.float64(singles_at(fields[0])[row])
    if kind == 2:
        cell = np.int64(quads_at(fields[0])[row])
        null = np.int64(0xFFFFFFFF)
    elif kind == 3:
        cell = np.int64(pairs_at(fields[0])[row])
        null = np.int64(0xFFFF)
    else:
        cell = np.int64(octets_at(fields[0])[row])
        null = np.int64(0xFF)
    if cell == null:
        return np.nan
    number = np.float64(cell + fields[2]) * np.float64(fields[3])
    return number if fields[4] == 1 else number / np.float64(fields[4])
