"""The fit of which words would be missed, on turns small enough to see through."""

from __future__ import annotations

import numpy as np
import pytest

from concede.bench.understanding.train_telling import LOST, Word, fit, read_words
from concede.bench.understanding.turn_records import marked_turn
from concede.dialogs.extraction.phrasing import shipped

pytest.importorskip("sklearn")


def test_words_of_what_is_named_belong_to_one_thing_and_those_told_to_none():
    turn = marked_turn("", [("blimey, {wish:a walled garden}, I have {tell:rabbits}", "inform")])
    words = list(read_words([turn], shipped(), seed=0))
    shown = [word.thing for word in words[: len(words) // 2 + 1]]
    assert len({thing for thing in shown if thing >= 0}) == 1
    assert shown.count(-1) >= 2
    assert {word.turn for word in words} == {0}


def test_a_fit_loses_the_share_of_things_that_it_may():
    draw = np.random.default_rng(0)
    words = []
    for at in range(400):
        named = at % 2 == 0
        told = draw.normal(2.0 * named, 1.0, 6).astype(np.float32)
        words.append(Word(told, at if named else -1, at))
    model, figures = fit(words, 400)
    assert figures["things"] == figures["in_passing"] == 200
    assert figures["lost"] == pytest.approx(LOST * 200, abs=1)
    assert figures["left_alone"] > 150
    scores = [float(word.told @ model.weights) + model.bias for word in words]
    right = [
        (score >= model.threshold) == (word.thing >= 0)
        for score, word in zip(scores, words, strict=True)
    ]
    assert sum(right) > 350
    again, _ = fit(words, 400)
    assert again.weights.tobytes() == model.weights.tobytes()
