"""Words that mean alike lie near each other, and unknown ones nowhere."""

from __future__ import annotations

import numpy as np
import pytest

from concede.dialogs.language.word_vectors import column_vectors, word_vectors


def test_a_vector_has_length_one_or_is_zero():
    vectors = word_vectors(["wallet", "\u2603\u2603", "wheelbarrows"])
    assert np.linalg.norm(vectors, axis=1).round(5).tolist() == [1.0, 0.0, 1.0]
    assert word_vectors([]).shape == (0, vectors.shape[1])


@pytest.mark.parametrize(
    ("word", "nearer", "farther"),
    [("wallet", "prc_gbp", "wt_g"), ("carry", "wt_g", "rtg"), ("hear", "noise_db", "rent_pm")],
)
def test_a_word_is_likest_to_the_column_it_is_about(word, nearer, farther):
    likeness = {
        column: float((word_vectors([word]) @ column_vectors((column,))[0].T).max())
        for column in (nearer, farther)
    }
    assert likeness[nearer] > likeness[farther]


def test_a_column_without_a_known_word_is_like_nothing():
    vectors, starts = column_vectors(("##", "price"))
    assert starts.tolist() == [0, 1]
    assert not vectors[0].any()
    assert vectors[1].any()
