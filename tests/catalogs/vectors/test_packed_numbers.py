"""Packed columns read, compare and change as plain lists of doubles do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.deadline import DeadlinePassed
from concede.catalogs.vectors import packed_numbers
from concede.catalogs.vectors.buffer_pool import VersionedArray
from concede.catalogs.vectors.column_vectors import MAX_TEXTS, ObjectCopy, TextCopy
from concede.catalogs.vectors.packed_numbers import PackedNumbers, ends_of
from counted_looks import ends_after

NAN = math.nan
FAMILIES = (
    st.integers(0, 9),
    st.integers(-300, 300),
    st.integers(0, 70_000),
    st.integers(-(2**31), 2**33),
    st.integers(-(2**53), 2**53),
    st.integers(-999, 999).map(lambda cents: cents / 100),
    st.integers(0, 20_000).map(lambda day: day * 86_400),
    st.floats(width=32),
    st.floats(),
    st.sampled_from([0.0, -0.0, 1.0, math.inf, -math.inf, 1e300, 2.0**50, 0.1, 1e-6, 5e-324]),
)
ANY = st.one_of(*FAMILIES)


@st.composite
def columns(draw: st.DrawFn) -> list[float]:
    family = draw(st.sampled_from(FAMILIES))
    return draw(st.lists(family.map(float) | st.just(NAN), max_size=40))


def as_bits(values: np.ndarray) -> list[object]:
    """Values as they are told apart when shown: −0.0 is not 0.0, and NaN is itself."""
    return [None if math.isnan(value) else repr(value) for value in values.tolist()]


def column_of(values: list[float]) -> np.ndarray:
    return np.array(values, dtype=np.float64)


@given(columns())
def test_a_packed_column_has_the_very_values_given(values):
    column = column_of(values)
    packed = PackedNumbers.of(column.copy())
    assert as_bits(packed.doubles()) == as_bits(column)
    assert as_bits(packed.at(np.arange(len(values))[::-1])) == as_bits(column[::-1])
    listed = packed.listed(np.arange(len(values)))
    assert as_bits(np.array(listed, dtype=np.float64)) == as_bits(column)
    assert packed.is_null().tolist() == np.isnan(column).tolist()
    assert packed.ends() == ends_of(column)
    assert packed.nbytes <= column.nbytes


def finite(values: list[float]) -> list[float]:
    return [value for value in values if math.isfinite(value)]


@given(columns(), st.integers(1, 5))
def test_the_ends_found_in_pieces_are_those_of_all_values(values, size):
    known = finite(values)
    wanted = (min(known), max(known)) if known else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed_numbers, "MEASURED_AT_ONCE", size)
        assert PackedNumbers.of(column_of(values)).ends() == wanted
        assert ends_of(column_of(values)) == wanted


@pytest.mark.parametrize("values", [[1.0, 2.0, 3.0], [0.1234567, 1e300, 0.3]])
def test_the_ends_are_not_looked_for_past_a_deadline(values, monkeypatch):
    monkeypatch.setattr(packed_numbers, "MEASURED_AT_ONCE", 1)
    packed = PackedNumbers.of(column_of(values))
    with pytest.raises(DeadlinePassed):
        packed.ends(ends_after(2))
    assert packed.ends(ends_after(9)) == (min(values), max(values))


@given(columns(), ANY, ANY)
def test_bounds_on_cells_are_bounds_on_values(values, low, high):
    column = column_of(values)
    expected = (column >= low) & (column <= high)
    assert PackedNumbers.of(column.copy()).between(float(low), float(high)).tolist() == (
        expected.tolist()
    )


@given(columns(), st.data())
def test_bounds_next_to_a_value_are_as_exact_as_doubles(values, data):
    known = [value for value in values if math.isfinite(value)]
    if not known:
        return
    value = data.draw(st.sampled_from(known))
    low = data.draw(st.sampled_from([value, math.nextafter(value, math.inf), -math.inf]))
    high = data.draw(st.sampled_from([value, math.nextafter(value, -math.inf), math.inf]))
    column = column_of(values)
    found = PackedNumbers.of(column.copy()).between(low, high)
    assert found.tolist() == ((column >= low) & (column <= high)).tolist()


WRITES = st.lists(
    st.tuples(st.lists(st.tuples(st.integers(0, 39), ANY)), st.lists(ANY, max_size=3)), max_size=6
)


@given(columns(), WRITES)
def test_a_column_written_to_is_a_list_written_to(values, writes):
    packed, versions = PackedNumbers.of(column_of(values)), VersionedArray()
    plain = list(values)
    earlier = [(packed, list(plain))]
    sizes = [packed.cells.itemsize]
    for replaced, appended in writes:
        cells = {place: float(value) for place, value in replaced if place < len(plain)}
        places = np.array(list(cells), dtype=np.int64)
        packed = packed.edited(
            versions, places, column_of(list(cells.values())), column_of(appended)
        )
        for place, value in cells.items():
            plain[place] = value
        plain += [float(value) for value in appended]
        earlier.append((packed, list(plain)))
        sizes.append(packed.cells.itemsize)
    assert sizes == sorted(sizes)
    for version, expected in earlier:
        assert as_bits(version.doubles()) == as_bits(column_of(expected))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0, 1, 254], "uint8"),
        ([1_990, 2_024], "uint8"),
        ([0, 1, 255], "uint16"),
        ([10.25, 19.99], "uint16"),
        ([0, 65_535], "uint32"),
        ([86_400.0 * day for day in (0, 65_000)], "uint16"),
        ([0.5, 1e9], "uint64"),
        ([2.0**40, 2.0**60], "float32"),
        ([0.1, math.pi], "float64"),
        ([0.0, -0.0], "float32"),
        ([NAN, NAN], "uint8"),
    ],
)
def test_each_column_takes_the_least_type_that_is_exact(values, kind):
    expected = "float32" if kind == "uint64" else kind
    assert PackedNumbers.of(column_of(values)).cells.dtype.name == expected


def test_a_value_written_beyond_its_type_widens_the_column_once():
    packed, versions = PackedNumbers.of(np.arange(200.0)), VersionedArray()
    for number in range(5_000):
        packed = packed.edited(
            versions, np.array([number % 200]), np.array([float(-number)]), np.zeros(0)
        )
    assert packed.cells.dtype == np.uint16


def objects(values: list[object]) -> ObjectCopy:
    cells = np.empty(len(values), dtype=object)
    cells[:] = values
    return ObjectCopy(cells)


def test_a_256th_text_widens_the_codes_and_leaves_earlier_versions_alone():
    words = [f"w{index:03}" for index in range(254)]
    codes = np.array([*range(254), MAX_TEXTS], dtype=np.uint16)
    first = TextCopy.of(codes, words)
    assert first.codes.dtype == np.uint8
    now, versions = first, [first]
    for index in range(4):
        now = now.edited(np.array([index]), objects([f"new{index}"]), objects([None]))
        versions.append(now)
    assert [copy.codes.dtype.name for copy in versions] == ["uint8"] * 2 + ["uint16"] * 3
    assert versions[1].code("new0") == 254
    assert versions[1].code("new1") is None
    for number, copy in enumerate(versions):
        shown = [None if code == copy.null else copy.values[code] for code in copy.codes.tolist()]
        new = [f"new{index}" for index in range(number)]
        assert shown == [*new, *(f"w{index:03}" for index in range(number, 254)), None] + (
            [None] * number
        )
