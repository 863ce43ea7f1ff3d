"""Answers of two methods are the same, but for the last bits of a sum."""

from __future__ import annotations

import pytest

from concede.bench.throughput.comparison import TOLERANCE, alike

ROW = (7, 0.5, {"brand": "b", "price": 12.5, "sold": None})


def moved(by: float) -> list[object]:
    return [(7, 0.5 + by, ROW[2])]


def test_the_last_bits_of_a_sum_do_not_count():
    assert alike([ROW], moved(TOLERANCE / 2))
    assert alike(moved(-TOLERANCE / 2), [ROW])


@pytest.mark.parametrize(
    "other",
    [
        moved(2 * TOLERANCE),
        [ROW, ROW],
        [(8, *ROW[1:])],
        [(7, 0.5, {"brand": "b", "price": 12.5, "sold": 0.0})],
        [(7, 0.5, {"brand": "b", "price": 12.5})],
        [(7, None, ROW[2])],
        None,
    ],
)
def test_whatever_else_differs_is_told(other: object):
    assert not alike([ROW], other)
    assert not alike(other, [ROW])
