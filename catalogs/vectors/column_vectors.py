"""Columns in memory as arrays by row number, for predicates, ranking, and fetching rows.

At 10⁶ rows a bound on a number costs 1 to 2 ms here, and a row costs microseconds; the same
questions cost DuckDB 5 to 20 ms and 2 to 4 ms.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cached_attribute import cached_attribute
from ..query.far_dates import EPOCH, day_text
from ..query.schema import Column
from .buffer_pool import VersionedArray
from .packed_numbers import PackedNumbers
from .quantized_column import Buckets

Numbers = NDArray[np.float64]
Places = NDArray[np.integer]

MAX_EXACT = float(2**53)
"""Whole numbers below this are exact as doubles."""

MAX_TEXTS = 65_535
"""A text column with more distinct values than this is kept as plain strings."""

MAX_BYTE_TEXTS = 255
"""Up to so many distinct values, each row takes a byte."""

HASHED = 1 << 13

SECONDS_A_DAY = 86_400


@dataclass(frozen=True, eq=False)
class NumberCopy:
    """A numeric or date column, dates in seconds, NaN for NULL, in as few bytes as hold it.

    `exact` says that comparing these numbers as doubles gives what DuckDB's comparison gives.
    `versions` is where the next version's cells go.
    """

    packed: PackedNumbers
    exact: bool
    versions: VersionedArray[Any] = field(default_factory=VersionedArray[Any], repr=False)

    @classmethod
    def of(cls, values: Numbers, *, exact: bool) -> NumberCopy:
        """Return the copy of float64[rows], NaN for NULL, kept as they are."""
        return cls(PackedNumbers(values), exact)

    @property
    def values(self) -> Numbers:
        """The numbers, float64[rows]; made anew each time unless they are kept so."""
        return self.packed.doubles()

    def at(self, numbers: Places) -> Numbers:
        """Return the numbers of some rows, float64[n]."""
        return self.packed.at(numbers)

    @property
    def nbytes(self) -> int:
        """The memory held."""
        return self.packed.nbytes + (self.buckets.nbytes if self.has_buckets else 0)

    @cached_attribute
    def buckets(self) -> Buckets:
        """The values as bytes."""
        return Buckets.of(self.values)

    @property
    def has_buckets(self) -> bool:
        """Whether `buckets` were made already."""
        return "buckets" in self.__dict__

    def taken(self, numbers: Places | slice) -> NumberCopy:
        """Return the copy of some rows alone."""
        return NumberCopy(self.packed.taken(numbers), self.exact)

    def kept(self, numbers: Places) -> NumberCopy:
        """Return the copy of some rows alone, buckets too."""
        copy = self.taken(numbers)
        if self.has_buckets:
            octets = self.buckets.octets[numbers]
            copy.__dict__["buckets"] = Buckets(self.buckets.edges, octets)
        return copy

    def edited(self, places: Places, replaced: NumberCopy, appended: NumberCopy) -> NumberCopy:
        """Return the copy with the values of some rows replaced and others appended."""
        new, more = replaced.values, appended.values
        packed = self.packed.edited(self.versions, places, new, more)
        copy = NumberCopy(packed, self.exact and replaced.exact and appended.exact, self.versions)
        if self.has_buckets:
            copy.__dict__["buckets"] = self.buckets.edited(places, new, more)
        return copy


@dataclass(frozen=True, eq=False)
class TextCopy:
    """A column of few distinct values: `codes` uint8[rows] or uint16[rows] into `values`.

    The greatest code, 255 or 65,535, is NULL. Versions share `values` and `places`, which grow
    at their ends: a value that a version has no row of is only a code that does not occur there.
    """

    codes: NDArray[Any]
    values: list[Any]
    versions: VersionedArray[Any] = field(default_factory=VersionedArray[Any], repr=False)

    @classmethod
    def of(cls, codes: NDArray[np.uint16], values: list[Any]) -> TextCopy:
        """Return the copy of codes, uint16[rows], 65,535 for NULL."""
        if len(values) > MAX_BYTE_TEXTS:
            return cls(codes, values)
        # The last code, cut to a byte, is the last byte.
        # 65,535 cut to a byte is 255.
        return cls(codes.astype(np.uint8), values)

    @property
    def null(self) -> int:
        """The code of NULL."""
        return (1 << 8 * self.codes.itemsize) - 1

    def code(self, value: Any) -> int | None:
        """Return the code of a value; None for one that no row can have."""
        code = self.places.get(value)
        # A later version with wider codes may have added the value.
        return code if code is not None and code < self.null else None

    @property
    def nbytes(self) -> int:
        """The memory held, texts estimated."""
        return self.codes.nbytes + 100 * len(self.values)

    @cached_attribute
    def places(self) -> dict[Any, int]:
        """The code of every value."""
        return {value: code for code, value in enumerate(self.values)}

    def taken(self, numbers: Places | slice) -> TextCopy:
        """Return the copy of some rows alone."""
        return self._like(self.codes[numbers], VersionedArray())

    def edited(self, places: Places, replaced: ObjectCopy, appended: ObjectCopy) -> TextCopy | None:
        """Return the copy with some rows' values replaced and others appended.

        None where that makes more values than there are codes.
        """
        new, more = self._coded(replaced), self._coded(appended)
        if new is None or more is None:
            return None
        before = self._wide() if len(self.values) > self.null else self.codes
        if before.dtype == np.uint8:
            new, more = new.astype(np.uint8), more.astype(np.uint8)
        return self._like(self.versions.edited(before, places, new, more), self.versions)

    def _wide(self) -> NDArray[np.uint16]:
        """Return the codes as uint16[rows]."""
        codes = self.codes.astype(np.uint16)
        codes[self.codes == self.null] = MAX_TEXTS
        return codes

    def _like(self, codes: NDArray[Any], versions: VersionedArray[Any]) -> TextCopy:
        copy = TextCopy(codes, self.values, versions)
        copy.__dict__["places"] = self.places
        return copy

    def _coded(self, texts: ObjectCopy) -> NDArray[np.uint16] | None:
        codes = self.places
        for text in texts.values.tolist():
            if text is None or text in codes:
                continue
            if len(self.values) == MAX_TEXTS:
                return None
            # Whoever finds the code finds the value, so the value comes first.
            self.values.append(text)
            codes[text] = len(self.values) - 1
        listed = [MAX_TEXTS if text is None else codes[text] for text in texts.values.tolist()]
        return np.array(listed, dtype=np.uint16)


@dataclass(frozen=True, eq=False)
class ObjectCopy:
    """Any other column, as Python values: object[rows]."""

    values: NDArray[np.object_]
    versions: VersionedArray[np.object_] = field(
        default_factory=VersionedArray[np.object_], repr=False
    )
    hash_versions: VersionedArray[np.int64] = field(
        default_factory=VersionedArray[np.int64], repr=False
    )

    @property
    def nbytes(self) -> int:
        """The memory held, values estimated."""
        return 100 * len(self.values)

    @cached_attribute
    def hashes(self) -> NDArray[np.int64]:
        """Python's hash of every value."""
        hashes = np.empty(len(self.values), dtype=np.int64)
        # Some at a time: what is done in C all at once holds other threads up.
        for start in range(0, len(hashes), HASHED):
            values = self.values[start : start + HASHED].tolist()
            hashes[start : start + len(values)] = _hashed(values)
        return hashes

    def taken(self, numbers: Places | slice) -> ObjectCopy:
        """Return the copy of some rows alone."""
        return ObjectCopy(self.values[numbers])

    def edited(self, places: Places, replaced: ObjectCopy, appended: ObjectCopy) -> ObjectCopy:
        """Return the copy with the values of some rows replaced and others appended."""
        values = self.versions.edited(self.values, places, replaced.values, appended.values)
        copy = ObjectCopy(values, self.versions, self.hash_versions)
        if "hashes" in self.__dict__:
            copy.__dict__["hashes"] = self.hash_versions.edited(
                self.hashes, places, replaced.hashes, appended.hashes
            )
        return copy


def _hashed(values: list[Any]) -> NDArray[np.int64]:
    return np.fromiter(map(hash, values), np.int64, len(values))


Copy = NumberCopy | TextCopy | ObjectCopy


def is_showable(column: Column, copy: Copy) -> bool:
    """Return whether a copy holds the column's values as a row shows them."""
    if isinstance(copy, NumberCopy):
        return copy.exact
    return column.sql_type in ("VARCHAR", "BOOLEAN")


def shown_values(column: Column, copy: Copy, numbers: Places) -> list[Any]:
    """Return a column's values in some rows as plain Python values, None for NULL."""
    if isinstance(copy, TextCopy):
        texts, null = copy.values, copy.null
        return [None if code == null else texts[code] for code in copy.codes[numbers].tolist()]
    if isinstance(copy, ObjectCopy):
        return copy.values[numbers].tolist()
    if column.is_integer:
        return copy.packed.whole(numbers)
    values = copy.packed.listed(numbers)
    if column.sql_type in ("DOUBLE", "FLOAT"):
        return values
    convert = _day if column.sql_type == "DATE" else _decimal
    return [None if number is None else convert(number) for number in values]


def _day(seconds: float) -> date | str:
    days = seconds // SECONDS_A_DAY
    try:
        return EPOCH + timedelta(days=days)
    except OverflowError:
        return day_text(int(days))


def _decimal(number: float) -> float:
    return int(number) if number.is_integer() else number
