"""Columns of numbers in as few bytes a row as hold every value exactly.

Whole multiples of a unit (1, a day, 0.01 …) are kept as unsigned offsets from a base, after
Goldstein, Ramakrishnan and Shaft, "Compressing relations and indexes" (ICDE 1998): 1, 2 or 4 bytes;
other numbers as float32 where each is one, else as float64. Packing 10⁶ rows takes about 10 ms, and
is checked value by value; a bound is compared with the cells as they are.
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cached_attribute import cached_attribute
from ..deadline import NEVER, Deadline
from .array_types import Floats
from .buffer_pool import VersionedArray

Cells = NDArray[Any]
Places = NDArray[np.integer] | slice

UNITS = ((86_400, 1), *((1, 10**digits) for digits in range(7)))
"""Factors and divisors of the units tried, in this order: days, ones, tenths …, millionths."""

MAX_WHOLE = float(2**50)
"""Multiples up to this stay apart as doubles, whatever the unit."""

SAMPLE = 1_024
"""Values that a unit is first tried on."""

PIECE = 1 << 15
"""Values converted together: few enough to stay in the cache of a core."""

MEASURED_AT_ONCE = 1 << 18
"""Values looked at for the ends of a column between two looks at the clock: under a millisecond."""

KINDS = ("float64", "float32", "uint32", "uint16", "uint8")
"""The types of cells, by the number that `PackedNumbers.address` has for each."""

_KIND = {np.dtype(name): kind for kind, name in enumerate(KINDS)}


@dataclass(frozen=True, eq=False)
class PackedNumbers:
    """Numbers by row: `cells`, and how a cell is read.

    A float64 or float32 is the number itself, NaN for NULL. An unsigned cell c is the number
    (c + base) · factor / divisor, each step rounded to a double, and the greatest cell is NULL.
    """

    cells: Cells
    base: int = 0
    factor: int = 1
    divisor: int = 1

    @classmethod
    def of(cls, values: Floats, least_bytes: int = 1) -> PackedNumbers:
        """Return float64[rows], NaN for NULL, in the least type of so many bytes or more."""
        if least_bytes < 8:
            for unit in UNITS:
                packed = _in_units(values, unit, least_bytes)
                if packed is not None:
                    return packed
            singles = _singles(values)
            if singles is not None:
                return cls(singles)
        return cls(_sealed(values))

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def nbytes(self) -> int:
        """The memory held."""
        return self.cells.nbytes

    @property
    def is_coded(self) -> bool:
        """Whether cells are offsets; otherwise they are the numbers."""
        return self.cells.dtype.kind == "u"

    @property
    def null(self) -> int:
        """The cell of NULL among offsets."""
        return (1 << 8 * self.cells.itemsize) - 1

    def doubles(self) -> Floats:
        """Return all numbers, float64[rows], NaN for NULL; made anew unless they are kept so."""
        if self.cells.dtype == np.float64:
            return self.cells
        values = np.empty(len(self.cells))
        for start in range(0, len(values), PIECE):
            values[start : start + PIECE] = self.at(slice(start, start + PIECE))
        return _sealed(values)

    def at(self, places: Places) -> Floats:
        """Return the numbers of some rows, float64[n], NaN for NULL."""
        cells = self.cells[places]
        if not self.is_coded:
            return cells.astype(np.float64, copy=False)
        values = self._decoded(cells.astype(np.float64) + self.base)
        values[cells == self.null] = np.nan
        return values

    def listed(self, places: NDArray[np.integer]) -> list[float | None]:
        """Return the numbers of a few rows, None for NULL, as `at` does in a fifth of the time."""
        cells: list[Any] = self.cells[places].tolist()
        if not self.is_coded:
            return [None if number != number else number for number in cells]
        null, base, factor, divisor = self.null, self.base, self.factor, self.divisor
        if divisor > 1:
            return [None if cell == null else (cell + base) / divisor for cell in cells]
        return [None if cell == null else float((cell + base) * factor) for cell in cells]

    def whole(self, places: NDArray[np.integer]) -> list[int | None]:
        """Return the numbers of a few rows as integers, which they are; None for NULL."""
        if not self.is_coded or self.divisor > 1:
            return [None if number is None else int(number) for number in self.listed(places)]
        null, base, factor = self.null, self.base, self.factor
        cells: list[int] = self.cells[places].tolist()
        return [None if cell == null else (cell + base) * factor for cell in cells]

    def _decoded(self, wholes: Floats) -> Floats:
        scaled = wholes * self.factor if self.factor > 1 else wholes
        return scaled / self.divisor if self.divisor > 1 else scaled

    def taken(self, places: Places) -> PackedNumbers:
        """Return some rows alone, packed alike."""
        return replace(self, cells=self.cells[places])

    def is_null(self) -> NDArray[np.bool_]:
        """Return which rows are NULL, bool[rows]."""
        return self.cells == self.null if self.is_coded else np.isnan(self.cells)

    def between(self, low: float, high: float) -> NDArray[np.bool_]:
        """Return which numbers lie from `low` to `high`, both included, bool[rows]."""
        first, last = self.bounds(low, high)
        if not first <= last:
            return np.zeros(len(self.cells), dtype=np.bool_)
        # A scalar of the cells' own type: no cell is converted to compare it.
        kind = self.cells.dtype.type
        if first == last:
            return self.cells == kind(first)
        return (self.cells >= kind(first)) & (self.cells <= kind(last))

    def bounds(self, low: float, high: float) -> tuple[float, float]:
        """Return the ends, both included, of the cells whose numbers lie from `low` to `high`.

        Each is exact in the type of the cells; the first is greater than the last for none.
        """
        if math.isnan(low) or math.isnan(high) or not low <= high:
            return 1.0, 0.0
        if self.cells.dtype == np.float64:
            return low, high
        if not self.is_coded:
            return _single_at_least(low), -_single_at_least(-high)
        first, last = self._first_above(low), self._first_above(high, above=True) - 1
        return (first, last) if first <= last else (1.0, 0.0)

    def _first_above(self, value: float, *, above: bool = False) -> int:
        """Return the first cell whose number is at least the value, or above it; up to NULL's."""
        if math.isinf(value):
            return 0 if value < 0 else self.null
        guess = value * self.divisor / self.factor - self.base
        cell = int(min(max(guess, 0.0), float(self.null)))
        while cell > 0 and not self._is_below(cell - 1, value, above=above):
            cell -= 1
        while cell < self.null and self._is_below(cell, value, above=above):
            cell += 1
        return cell

    def _is_below(self, cell: int, value: float, *, above: bool) -> bool:
        number = float(cell + self.base) * self.factor / self.divisor
        return number <= value if above else number < value

    def ends(self, until: Deadline = NEVER) -> tuple[float, float] | None:
        """Return the least and the greatest finite number; None without one.

        Raises `DeadlinePassed` where time is short.
        """
        if not self.is_coded:
            return ends_of(self.cells, until)
        low, high = self.null, -1
        for start, stop in until.pieces(len(self.cells), MEASURED_AT_ONCE):
            cells = self.cells[start:stop]
            if cells.max() == self.null:
                cells = cells[cells != self.null]
            if len(cells):
                low, high = min(low, int(cells.min())), max(high, int(cells.max()))
        if high < 0:
            return None
        offsets = np.array([low, high], dtype=np.float64)
        low, high = self._decoded(offsets + self.base).tolist()
        return low, high

    def encoded(self, values: Floats) -> tuple[Cells, NDArray[np.bool_]]:
        """Return numbers, NaN for NULL, as cells, and which of them have one.

        Those that have none are 0.
        """
        if not self.is_coded:
            with np.errstate(over="ignore"):
                cells = values.astype(self.cells.dtype)
            return cells, (cells == values) | np.isnan(values)
        wholes, fits = _wholes(values, (self.factor, self.divisor))
        offsets = wholes - self.base
        is_null = np.isnan(values)
        fits &= (offsets >= 0) & (offsets < self.null)
        cells = np.where(fits, offsets, 0.0).astype(self.cells.dtype)
        cells[is_null] = self.null
        return cells, fits | is_null

    def edited(
        self,
        versions: VersionedArray[Any],
        places: NDArray[np.integer],
        replaced: Floats,
        appended: Floats,
    ) -> PackedNumbers:
        """Return the column with some rows replaced and others appended.

        A number that has no cell makes the column wider: at most three times, as each type is
        followed by one of more bytes.
        """
        new, fits = self.encoded(replaced)
        more, fit = self.encoded(appended)
        if fits.all() and fit.all():
            return replace(self, cells=versions.edited(self.cells, places, new, more))
        values = np.concatenate([self.doubles(), appended])
        values[places] = replaced
        return PackedNumbers.of(values, 2 * self.cells.itemsize)

    @cached_attribute
    def description(self) -> array[int]:
        """What a kernel reads the column by, five int64, as long as this lives.

        The address of its cells, its kind (a place in `KINDS`), base, factor and divisor.
        """
        kind, address = _KIND[self.cells.dtype], self.cells.ctypes.data
        # NumPy takes 2 µs to make an array and tell its address.
        return array("q", (address, kind, self.base, self.factor, self.divisor))

    @cached_attribute
    def address(self) -> int:
        """The address of the description, which lives as long as this."""
        return self.description.buffer_info()[0]


def _in_units(values: Floats, unit: tuple[int, int], least_bytes: int) -> PackedNumbers | None:
    """Return the numbers as offsets in a unit; None where some is no multiple, or too far."""
    sample = values[:: max(1, len(values) // SAMPLE)]
    if not (_wholes(sample, unit)[1] | np.isnan(sample)).all():
        return None
    low, high = math.inf, -math.inf
    for start in range(0, len(values), PIECE):
        piece = values[start : start + PIECE]
        wholes, fits = _wholes(piece, unit)
        if not (fits | np.isnan(piece)).all():
            return None
        low = min(low, float(np.fmin.reduce(wholes)))
        high = max(high, float(np.fmax.reduce(wholes)))
    span = max(0.0, high - low)
    for kind in (np.uint8, np.uint16, np.uint32):
        null = int(np.iinfo(kind).max)
        if span < null and np.dtype(kind).itemsize >= least_bytes:
            # In the middle: what is written later may be less or more.
            base = int(low) - (null - 1 - int(span)) // 2 if low <= high else 0
            packed = PackedNumbers(np.empty(len(values), dtype=kind), base, *unit)
            for start in range(0, len(values), PIECE):
                piece = slice(start, start + PIECE)
                packed.cells[piece] = packed.encoded(values[piece])[0]
            _sealed(packed.cells)
            return packed
    return None


def _wholes(values: Floats, unit: tuple[int, int]) -> tuple[Floats, NDArray[np.bool_]]:
    """Return how many units each number is, rounded, and which numbers are just that many.

    NaN and −0.0 are not.
    """
    factor, divisor = unit
    with np.errstate(invalid="ignore", over="ignore"):
        wholes = np.rint(values * divisor if factor == 1 else values / factor)
        read = wholes / divisor if factor == 1 else wholes * factor
        fits = (read == values) & (np.abs(wholes) <= MAX_WHOLE)
    if (values == 0).any():
        fits &= ~((values == 0) & np.signbit(values))
    return wholes, fits


def _singles(values: Floats) -> NDArray[np.float32] | None:
    """Return the numbers as float32; None where some is none."""
    for some in (values[:: max(1, len(values) // SAMPLE)], values):
        with np.errstate(over="ignore"):
            singles = some.astype(np.float32)
        if not ((singles == some) | np.isnan(some)).all():
            return None
    return _sealed(singles)


def _single_at_least(value: float) -> float:
    """Return the least float32 that is at least the value."""
    with np.errstate(over="ignore"):
        single = np.float32(value)
    if float(single) < value:
        single = np.nextafter(single, np.float32(math.inf))
    return float(single)


def ends_of(values: NDArray[np.floating], until: Deadline = NEVER) -> tuple[float, float] | None:
    """Return the least and the greatest finite value; None without one.

    Raises `DeadlinePassed` where time is short.
    """
    low, high = math.inf, -math.inf
    for start, stop in until.pieces(len(values), MEASURED_AT_ONCE):
        some = values[start:stop]
        least, greatest = float(np.fmin.reduce(some)), float(np.fmax.reduce(some))
        if not (math.isfinite(least) and math.isfinite(greatest)):
            some = some[np.isfinite(some)]
            if not len(some):
                continue
            least, greatest = float(some.min()), float(some.max())
        low, high = min(low, least), max(high, greatest)
    return None if math.isinf(low) else (low, high)


def _sealed(cells: Cells) -> Cells:
    cells.flags.writeable = False
    return cells
