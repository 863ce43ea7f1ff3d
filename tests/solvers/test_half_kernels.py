"""Masks counted by halves are those counted as bytes, on any processor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from concede.catalogs.vectors.numba_kernel import DECLARED
from concede.solvers import half_kernels, kernels
from concede.solvers.half_kernels import BLOCK
from concede.solvers.mask_counting import counting_for

SHARES = st.sampled_from([0.0, 0.001, 0.3, 0.7, 1.0])


def words_of(dice: np.random.Generator, share: float, shape: tuple[int, ...]) -> np.ndarray:
    bits = dice.random((*shape[:-1], 64 * shape[-1])) < share
    return np.packbits(bits, axis=-1, bitorder="little").view(np.uint64)


@given(
    st.integers(0, 8),
    st.sampled_from([1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5]),
    SHARES,
    SHARES,
    st.data(),
)
def test_halves_equal_bytes(
    width: int, words: int, share: float, base_share: float, data: st.DataObject
) -> None:
    dice = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    base, stack = words_of(dice, base_share, (words,)), words_of(dice, share, (width, words))
    start = data.draw(st.integers(0, words))
    stop = data.draw(st.integers(start, words))
    counts, expected = np.full(256, 7), np.full(256, 7)
    half_kernels.count_halves(base, stack, start, stop, counts)
    kernels.count_bytes(base, stack, start, stop, expected)
    assert counts.tolist() == expected.tolist()


@pytest.mark.parametrize("pays", [False, True])
@pytest.mark.parametrize("width", range(4, 10))
def test_the_processor_chooses_the_kernel_and_not_the_counts(
    monkeypatch: pytest.MonkeyPatch, width: int, pays: bool
) -> None:
    monkeypatch.setattr(half_kernels, "pays", lambda: pays)
    dice = np.random.default_rng(width)
    base, stack = words_of(dice, 0.9, (300,)), words_of(dice, 0.4, (width, 300))
    counting = counting_for(width, 64 * 300, by_kernels=True)
    counting.add(base, stack, 0, 300, until=None)  # type: ignore[arg-type]
    masks = np.unpackbits(stack.view(np.uint8), axis=1, bitorder="little").astype(np.int64)
    inside = np.unpackbits(base.view(np.uint8), bitorder="little").astype(bool)
    found = (masks.T @ (1 << np.arange(width)))[inside]
    distinct, counts = np.unique(found, return_counts=True)
    histogram = counting.histogram()
    assert histogram.masks.tolist() == distinct.tolist()
    assert histogram.counts.tolist() == counts.tolist()


def test_vectors_are_as_wide_as_the_processor_has_them() -> None:
    if not half_kernels.pays():
        pytest.skip("this processor has no vectors of 64 bytes that count bits")
    kernel: Any = half_kernels.count_halves
    (signature,) = [entry.signature for entry in DECLARED if entry.dispatcher is kernel]
    again: Any = njit(nogil=True)(kernel.py_func)
    again.compile(signature)
    (code,) = again.inspect_asm().values()
    assert code.count("zmm") > code.count("ymm")
