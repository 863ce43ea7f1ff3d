"""Row sets against Python's sets, at chunk borders and across threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.vectors.byte_bounded_cache import ByteBoundedCache
from concede.catalogs.vectors.row_set import CHUNK_ROWS, RowSet, intersection

UNIVERSES = (0, 1, 63, 64, 65, 65_535, 65_536, 65_537, 131_072, 200_000)


def ids_of_words(rows: RowSet) -> list[int]:
    """Read the words bit by bit: bit i of word w of chunk c is row c * 65536 + 64 * w + i."""
    found: list[int] = []
    for chunk, words in enumerate(rows.words):
        for index in np.flatnonzero(words):
            word = int(words[index])
            start = chunk * CHUNK_ROWS + int(index) * 64
            found += [start + bit for bit in range(64) if word >> bit & 1]
    return found


@given(data=st.data(), universe=st.sampled_from(UNIVERSES))
def test_words_chunks_and_ids_agree(data: st.DataObject, universe: int) -> None:
    borders = [
        entry
        for entry in (0, 63, 64, 65_535, 65_536, 65_537, universe - 1)
        if 0 <= entry < universe
    ]
    anywhere = st.integers(0, max(universe - 1, 0))
    drawn = (
        st.sets(st.sampled_from(borders) | anywhere, max_size=30)
        if universe
        else st.just(set[int]())
    )
    expected = sorted(data.draw(drawn))
    rows = RowSet.of_ids(reversed(expected), universe)
    assert rows.ids.tolist() == expected == ids_of_words(rows)
    assert rows.chunks.tolist() == sorted({entry // CHUNK_ROWS for entry in expected})
    assert len(rows) == len(expected)
    assert rows.first() == (expected[0] if expected else None)
    assert rows.words.shape == (-(-universe // CHUNK_ROWS), 1024)


@pytest.mark.parametrize("universe", UNIVERSES)
def test_everything(universe: int) -> None:
    rows = RowSet.everything(universe)
    assert len(rows) == universe
    assert int(np.bitwise_count(rows.words).sum()) == universe
    assert rows == RowSet.of_truth(np.ones(universe, dtype=np.bool_))


@given(st.lists(st.frozensets(st.integers(0, 300)), max_size=4))
def test_set_algebra(sets: list[frozenset[int]]) -> None:
    rows = [RowSet.of_ids(one, 301) for one in sets]
    expected = set(range(301)).intersection(*sets)
    assert set(intersection(rows, 301).ids.tolist()) == expected
    if len(rows) > 1:
        assert set((rows[0] & rows[1]).ids.tolist()) == sets[0] & sets[1]
        assert set((rows[0] - rows[1]).ids.tolist()) == sets[0] - sets[1]


@pytest.mark.parametrize("ids", [[-1], [5], [2**32], [0, 2**40]])
def test_ids_outside_the_universe_are_refused(ids: list[int]) -> None:
    with pytest.raises(ValueError, match=r"0\.\.4"):
        RowSet.of_ids(ids, 5)
    with pytest.raises(ValueError, match=r"0\.\.4"):
        RowSet.of_ids(np.array(ids), 5)


def test_words_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        RowSet.everything(10).words[0, 0] = 0


class Block:
    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 60)), max_size=40))
def test_the_cache_stays_within_its_bytes(requests: list[tuple[int, int]]) -> None:
    cache: ByteBoundedCache[Block] = ByteBoundedCache(100)
    sizes: dict[int, int] = {}
    for key, size in requests:
        sizes.setdefault(key, size)
        held = cache.get(key, lambda size=sizes[key]: Block(size))
        assert held.nbytes == sizes[key]
        assert cache.nbytes <= 100
        assert len(cache) >= 1


def test_the_cache_forgets_the_least_recently_used() -> None:
    cache: ByteBoundedCache[Block] = ByteBoundedCache(2)
    first = cache.get("a", lambda: Block(1))
    cache.get("b", lambda: Block(1))
    assert cache.get("a", lambda: Block(1)) is first
    cache.get("c", lambda: Block(1))
    assert cache.get("a", lambda: Block(1)) is first
    replaced = Block(1)
    assert cache.get("b", lambda: replaced) is replaced


def test_a_value_larger_than_the_cache_is_held_alone() -> None:
    cache: ByteBoundedCache[Block] = ByteBoundedCache(10)
    cache.get("a", lambda: Block(5))
    cache.get("b", lambda: Block(50))
    assert (len(cache), cache.nbytes) == (1, 50)
    cache.get("c", lambda: Block(5))
    assert (len(cache), cache.nbytes) == (1, 5)


def test_the_cache_across_threads() -> None:
    cache: ByteBoundedCache[Block] = ByteBoundedCache(50)

    def use(seed: int) -> bool:
        keys = [(seed * 31 + i * 17) % 23 + 1 for i in range(500)]
        return all(cache.get(key, lambda key=key: Block(key)).nbytes == key for key in keys)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(16)))
    assert 0 < cache.nbytes <= 50


def test_a_failure_leaves_nothing_behind() -> None:
    cache: ByteBoundedCache[Block] = ByteBoundedCache(50)

    def fail() -> Block:
        raise KeyError("no")

    with pytest.raises(KeyError):
        cache.get("a", fail)
    assert (len(cache), cache.nbytes) == (0, 0)
    assert cache.get("a", lambda: Block(1)).nbytes == 1
