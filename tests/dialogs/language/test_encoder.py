"""The encoder in NumPy: its linear maps, parts of long texts, and texts that mean harm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.language.encoder import (
    FILE,
    LONGEST,
    PARTS,
    Linear,
    embeddings,
    gelu,
    load,
    normalised,
    shipped,
)
from concede.dialogs.language.wordpiece import WordPieces


@given(st.integers(1, 70), st.sampled_from([(32, 96), (384, 1152), (1536, 384)]))
def test_a_map_in_tiles_is_a_product(rows: int, shape: tuple[int, int]):
    draw = np.random.default_rng(rows)
    matrix = draw.normal(size=shape).astype(np.float32)
    bias = draw.normal(size=shape[1]).astype(np.float32)
    states = draw.normal(size=(rows, shape[0])).astype(np.float32)
    expected = states.astype(np.float64) @ matrix + bias
    np.testing.assert_allclose(Linear.of(matrix, bias)(states), expected, rtol=0, atol=1e-3)


def test_rows_are_normalised_and_the_unit_is_smooth():
    states = normalised(np.array([[1, 2, 3, 6]], np.float32), np.array([[1] * 4, [0] * 4]))
    assert states.mean() == pytest.approx(0, abs=1e-6)
    assert states.std() == pytest.approx(1, abs=1e-5)
    values = gelu(np.array([-10, 0, 1, 10], np.float32))
    assert values == pytest.approx([0, 0, 0.8412, 10], abs=1e-3)


def test_words_in_other_company_mean_something_else():
    encoder = shipped()
    alone, denied = encoder.encode("essential"), encoder.encode("not essential")[1:]
    assert alone.shape == denied.shape
    assert np.abs(alone - denied).max() > 0.1
    assert np.array_equal(
        encoder.encode("not essential"), load(FILE, embeddings()).encode("Not  essential")
    )


def test_a_long_text_is_read_in_parts_that_do_not_see_each_other():
    encoder = shipped()
    part = "cheap " * LONGEST
    once, twice = encoder.encode(part), encoder.encode(part * 2)
    assert twice == pytest.approx(np.concatenate([once, once]), abs=1e-5)
    assert encoder.mean(part * 2) == pytest.approx(once.mean(axis=0), abs=1e-4)


@pytest.mark.parametrize(
    "text", ["", " \n\t", "\x00\x1b\ud800", "x" * 100_000, "!" * 100_000, "word " * 20_000]
)
def test_any_text_gives_finite_states_of_a_bounded_number_of_pieces(text: str):
    encoder = shipped()
    states = encoder.encode(text)
    assert len(states) <= PARTS * LONGEST
    assert np.isfinite(states).all()
    assert np.isfinite(encoder.mean(text)).all()
    assert bool(encoder.mean(text).any()) is bool(len(states))


def test_layers_of_other_pieces_are_refused():
    table = embeddings()
    swapped = WordPieces({word: -at for at, word in enumerate(reversed(table.pieces.numbers))})
    with pytest.raises(ValueError, match="other word pieces"):
        load(FILE, replace(table, pieces=swapped))
