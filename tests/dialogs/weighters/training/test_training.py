"""The corpus is made from its seed alone, keeps parts apart, and teaches a model in seconds."""

from __future__ import annotations

from itertools import chain, compress

import numpy as np
import pytest

from concede.dialogs.weighters.learned import Model, learned
from concede.dialogs.weighters.training.bank import (
    HELD_DOMAINS,
    HELD_REGISTERS,
    domains,
    frames,
    phrases,
)
from concede.dialogs.weighters.training.corpus import examples
from concede.dialogs.weighters.training.fit import (
    accuracy,
    calibration_error,
    fit,
    fit_leaving_out,
    logistic,
    matrix,
    rows,
    save,
    train,
    weighed,
)


def test_the_bank_is_wide():
    assert len(phrases()) >= 300
    assert len({phrase.importance for phrase in phrases()}) >= 5
    assert len(domains()) >= 10
    assert all(frames().values())


def test_the_same_seed_gives_the_same_examples():
    assert list(examples(20, 3)) == list(examples(20, 3))
    assert list(examples(20, 3)) != list(examples(20, 4))


def test_each_example_has_an_importance_for_each_constraint():
    for example in examples(200, 5):
        assert len(example.constraints) == len(example.importances) >= 2
        assert all(0 <= importance <= 1 for importance in example.importances)
        assert any(message["role"] == "user" for message in example.messages)
        text = " ".join(message["content"] for message in example.messages)
        assert "{" not in text
        assert "%s" not in text


def test_held_out_domains_and_registers_are_never_trained_on():
    for example in examples(300, 1, "train"):
        assert example.domain not in HELD_DOMAINS
        assert example.register not in HELD_REGISTERS
    assert {example.domain for example in examples(100, 1, "held")} == HELD_DOMAINS


def test_held_out_phrases_are_never_trained_on():
    phrase = "is immaterial"
    assert any(phrase in text for text in _texts("held"))
    assert not any(phrase in text for text in _texts("train"))


def _texts(part: str) -> list[str]:
    said = chain.from_iterable(example.messages for example in examples(400, 2, part))
    return [message["content"] for message in said]


def test_a_short_training_learns_and_repeats(tmp_path):
    data = rows(examples(150, 9, "train"))
    weights = fit(data)
    assert np.array_equal(weights, fit(data))
    model = Model(weights, 1.0, np.zeros(8, np.float32))
    assert accuracy(weighed(model, data), data)["pairs"] > 0.85
    save(model, tmp_path / "model.npz")
    again = learned(tmp_path / "model.npz")
    assert np.array_equal(again.weights, weights)


def test_scores_left_out_are_those_of_a_model_that_saw_none_of_the_kind():
    corpus, talks = rows(examples(10, 1, "train")), rows(examples(12, 2, "train"))
    kinds = [str(at % 4) for at in range(len(corpus) + len(talks))]
    weights, scores = fit_leaving_out(corpus, talks, kinds)
    assert weights == pytest.approx(fit(corpus, talks), abs=1e-6)
    for kind in "0123":
        seen = [its != kind for its in kinds]
        blind = fit(
            list(compress(corpus, seen)),
            list(compress(talks, seen[len(corpus) :])),
        )
        for talk, is_seen, left_out in zip([*corpus, *talks], seen, scores, strict=True):
            if not is_seen:
                assert left_out == pytest.approx(matrix([talk]) @ blind, abs=1e-5)


def test_confidence_is_calibrated_on_what_it_is_fitted_to():
    draw = np.random.default_rng(1)
    signs = np.column_stack([np.ones(4_000), draw.normal(size=4_000)])
    chance = 1 / (1 + np.exp(-(0.5 + 1.5 * signs[:, 1])))
    near = (draw.random(4_000) < chance).astype(float)
    coefficients = logistic(signs, near)
    assert coefficients == pytest.approx([0.5, 1.5], abs=0.15)
    assert calibration_error(1 / (1 + np.exp(-signs @ coefficients)), near) < 0.03
    assert calibration_error(np.full(4_000, 0.99), near) > 0.2


@pytest.mark.slow
def test_the_whole_training_generalises_to_held_out_wording():
    _, figures = train(1_500, 600)
    assert figures["held"]["pairs"] > 0.8
    assert figures["held calibration error"] < 0.1
