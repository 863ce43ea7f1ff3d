# pyright: basic, reportCallIssue=false
"""Parts of kernels that read a packed column, given by the address of its description.

All of it is compiled into the kernels that call it (`kernel_cache.INLINED_MODULES`). See
`PackedNumbers.description`; which type the cells have is a branch that the processor guesses, as it
is the same for every row.
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


@njit(nogil=True, inline="always")
def _take_offsets(cells, null, fields, ids, taken):
    base = fields[2]
    factor = np.float64(fields[3])
    divisor = np.float64(fields[4])
    for at in range(ids.shape[0]):
        cell = np.int64(cells[ids[at]])
        number = np.float64(cell + base) * factor / divisor
        taken[at] = np.nan if cell == null else number


@njit(nogil=True)
def take_cells(column, ids, taken):
    """Write `number_at` of some rows, with one look at the description: float64[n]."""
    fields = longs_at(column)
    kind = fields[1]
    if kind == 0:
        doubles = doubles_at(fields[0])
        for at in range(ids.shape[0]):
            taken[at] = doubles[ids[at]]
    elif kind == 1:
        singles = singles_at(fields[0])
        for at in range(ids.shape[0]):
            taken[at] = np.float64(singles[ids[at]])
    elif kind == 2:
        _take_offsets(quads_at(fields[0]), 0xFFFFFFFF, fields, ids, taken)
    elif kind == 3:
        _take_offsets(pairs_at(fields[0]), 0xFFFF, fields, ids, taken)
    else:
        _take_offsets(octets_at(fields[0]), 0xFF, fields, ids, taken)
