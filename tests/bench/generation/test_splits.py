"""Training and test part: whole slices, and records that are wrong are found."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.bench.generation.generate import with_split
from concede.catalogs.errors import QueryError
from generated_instances import duplicates, leaks


def record(base, *values):
    asked = [{"column": "c", "op": "==", "value": value} for value in values]
    return {"base": {"b": base}, "additional_constraints": asked}


@given(
    st.lists(st.integers(0, 12), min_size=1, max_size=60),
    st.floats(0.05, 0.95),
    st.integers(0, 5),
)
def test_no_slice_is_in_both_and_neither_part_is_empty(bases, share, seed):
    found = with_split([record(base) for base in bases], share, seed)
    assert leaks(found) == []
    assert [entry["base"] for entry in found] == [{"b": base} for base in bases]
    parts = Counter(entry["split"] for entry in found)
    assert (len(parts) == 2) is (len(set(bases)) > 1)
    # Off by one slice at most.
    largest = max(Counter(bases).values())
    assert abs(parts["train"] - share * len(bases)) <= largest


@pytest.mark.parametrize("share", [0, 1, -0.2, 1.5, float("nan")])
def test_a_share_is_between_0_and_1(share):
    with pytest.raises(QueryError, match="training share"):
        with_split([record(1)], share, 0)


def test_a_leak_and_a_duplicate_are_found():
    records = [record(1, 7, 8), record(2, 7, 8), record(1, 8, 7), record(1, 7)]
    assert duplicates(records) == [(0, 2)]
    assert duplicates(records[:2]) == []
    marked = [one | {"split": split} for one, split in zip(records, "abba", strict=True)]
    assert leaks(marked) == [{"b": 1}]
