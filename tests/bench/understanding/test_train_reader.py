"""Networks that decide together: the mean of their log-odds, over drawn weights."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from concede.bench.understanding.train_reader import Fitting, Packed, together
from concede.dialogs.extraction.network import HEADS

DENSE, WORDS = 5, 7


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_joined_networks_have_the_mean_of_their_log_odds(head, count):
    random = np.random.default_rng(7)
    members = [Fitting(dict.fromkeys(HEADS, DENSE), WORDS, seed) for seed in range(count)]
    for member in members:
        member.weights[f"{head}.bias"] += random.standard_normal(1).astype(np.float32)
        member.weights[f"{head}.end"] += random.standard_normal(1).astype(np.float32)
    batch = Packed(
        random.standard_normal((6, DENSE)).astype(np.float32),
        np.array([0, 2, 3, 6]),
        csr_matrix((random.random((3, WORDS)) < 0.5).astype(np.float32)),
        np.zeros(3, np.intp),
    )
    each = [member.forward(head, batch)[0] for member in members]
    joined, _, _ = together(members).forward(head, batch)
    np.testing.assert_allclose(joined, np.mean(each, axis=0), rtol=1e-4, atol=1e-5)
