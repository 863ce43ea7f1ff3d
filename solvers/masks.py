"""Sets of constraint positions as bit masks, and masks as sets in a fixed order.

Bit j of a mask stands for position j. Masks are read a byte at a time from tables of 256 entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Masks = NDArray[np.uint64]
Counts = NDArray[np.int64]
Slots = NDArray[np.int32]
Sets = tuple[frozenset[int], ...]


def mask_of(positions: Iterable[int]) -> int:
    """Return the mask with these bits set."""
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


def positions_of(mask: int) -> frozenset[int]:
    """Return the positions of the bits set in the mask."""
    return frozenset(ascending(mask))


def ascending(mask: int) -> Sequence[int]:
    """Return the positions of the bits set in the mask, ascending."""
    if mask < 256:
        return _POSITIONS[0][mask]
    positions: list[int] = []
    while mask:
        lowest = mask & -mask
        positions.append(lowest.bit_length() - 1)
        mask ^= lowest
    return positions


def in_order(sets: Iterable[frozenset[int]]) -> tuple[frozenset[int], ...]:
    """Return the sets smallest first, then by their positions: the same order every time."""
    return tuple(sorted(sets, key=lambda positions: (len(positions), sorted(positions))))


def sets_of(masks: Masks) -> Sets:
    """Return masks, uint64[n], as sets of positions in the order given."""
    if not len(masks):
        return ()
    octets = masks.astype("<u8").view(np.uint8).reshape(-1, 8)
    used = int(np.bitwise_or.reduce(masks))
    tables = [_POSITIONS[octet] for octet in range(8) if not octet or used >> 8 * octet]
    columns: list[list[int]] = [octets[:, octet].tolist() for octet in range(len(tables))]
    if len(tables) == 1:
        return tuple([frozenset(tables[0][octet]) for octet in columns[0]])
    rows = zip(*columns, strict=True)
    return tuple([frozenset(chain(*map(_entry, tables, row))) for row in rows])


def _entry(table: list[tuple[int, ...]], octet: int) -> tuple[int, ...]:
    return table[octet]


def listed(masks: Masks, width: int) -> Sets:
    """Return masks of `width` bits as sets, in the order of `in_order`."""
    if width > 8:
        return sets_of(in_order_of_size(masks, width))
    # At most 70 of them, most often a dozen: sorting them costs less than NumPy's first steps.
    values: list[int] = masks.tolist()
    by_position = sorted([_POSITIONS[0][mask] for mask in values])
    return tuple(map(frozenset, sorted(by_position, key=len)))


_MIRRORED = np.packbits(
    np.unpackbits(np.arange(256, dtype=np.uint8)).reshape(-1, 8), axis=1, bitorder="little"
).reshape(-1)

_POSITIONS: list[list[tuple[int, ...]]] = [
    [tuple(8 * octet + bit for bit in range(8) if value >> bit & 1) for value in range(256)]
    for octet in range(8)
]


def in_order_of_size(masks: Masks, width: int) -> Masks:
    """Return masks of `width` bits in the order of `in_order`: by size, then by positions."""
    return masks[np.lexsort((~mirrored(masks, width), np.bitwise_count(masks)))]


def mirrored(masks: Masks, width: int) -> Masks:
    """Return masks with bit i at width − 1 − i: of one size, the greater has lower positions."""
    octets = masks.astype("<u8").view(np.uint8).reshape(-1, 8)[:, ::-1]
    turned = _MIRRORED[octets].view("<u8").reshape(-1).astype(np.uint64)
    return turned >> np.uint64(64 - width) if width else turned
