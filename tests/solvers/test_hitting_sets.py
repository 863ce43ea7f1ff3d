"""Minimal hitting sets: known families, limits, deadlines."""

from __future__ import annotations

from itertools import islice, product

import pytest

from concede.solvers.hitting_sets import minimal_hitting_sets
from concede.solvers.limits import Budget

FOREVER = Budget(deadline=None)


def is_minimal_hitting_set(one: int, family: list[int]) -> bool:
    hits = all(one & other for other in family)
    members = [1 << bit for bit in range(one.bit_length()) if one >> bit & 1]
    return hits and all(any(not (one & ~bit) & other for other in family) for bit in members)


@pytest.mark.parametrize(
    ("family", "expected"),
    [
        ([], [0]),
        ([0], []),
        ([0, 1], []),
        ([1], [1]),
        ([1, 1], [1]),
        ([1, 2, 4], [7]),
        ([7], [1, 2, 4]),
        ([1, 3, 7], [1]),
        ([3, 6, 5], [3, 5, 6]),
        ([1 << 63, 1], [(1 << 63) + 1]),
    ],
)
def test_known_families(family: list[int], expected: list[int]):
    found, stopped_by = minimal_hitting_sets(family, FOREVER)
    assert sorted(found) == expected
    assert stopped_by is None


def pairs(count: int) -> list[int]:
    """Disjoint pairs: 2^count minimal hitting sets."""
    return [3 << (2 * index) for index in range(count)]


def test_disjoint_pairs_are_all_found():
    found, _ = minimal_hitting_sets(pairs(10), FOREVER)
    expected = {sum(choice) for choice in product(*([1 << 2 * i, 2 << 2 * i] for i in range(10)))}
    assert len(found) == len(expected)
    assert set(found) == expected


def test_an_exponential_family_ends_at_the_limit():
    family = pairs(32)
    found, stopped_by = minimal_hitting_sets(family, Budget(deadline=None, max_sets=1_000))
    assert stopped_by == "limit"
    assert len(set(found)) == len(found) == 1_000
    assert all(is_minimal_hitting_set(entry, family) for entry in found)


def test_exactly_as_many_as_the_limit_is_complete():
    found, stopped_by = minimal_hitting_sets(pairs(4), Budget(deadline=None, max_sets=16))
    assert (len(found), stopped_by) == (16, None)


def test_an_exponential_family_ends_at_the_deadline(monkeypatch: pytest.MonkeyPatch):
    looks = islice(iter(lambda: False, True), 500)
    monkeypatch.setattr(Budget, "expired", property(lambda self: next(looks, True)))
    family = pairs(32)
    found, stopped_by = minimal_hitting_sets(family, Budget())
    assert stopped_by == "deadline"
    assert found
    assert all(is_minimal_hitting_set(entry, family) for entry in found)


def test_the_order_of_the_family_does_not_matter():
    family = [0b0110, 0b1010, 0b0011, 0b1100]
    assert minimal_hitting_sets(family, FOREVER) == minimal_hitting_sets(family[::-1], FOREVER)
