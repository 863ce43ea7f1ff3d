"""Which parts of what is found are wished for is learned from turns that a chat model read."""

from __future__ import annotations

import numpy as np
import pytest

from concede.bench.json_lines import read_records
from concede.bench.understanding.turn_records import FRESH, HELD_OUT, STRANGERS, read_turns
from concede.dialogs.conversation.turn_encoder import shipped as shipped_encoder
from concede.dialogs.conversation.wished_parts import WishedParts, load, shipped

pytest.importorskip("sklearn", reason="needs the extra: train")

from concede.bench.understanding.train_wished_parts import (
    FOUND,
    Example,
    FoundTurn,
    examples_of,
    fit,
    train,
)


def test_the_weights_that_ship_are_made_again(tmp_path):
    out = tmp_path / "wished_parts.npz"
    figures = train(out)
    made, ships = load(out), shipped()
    assert made.weights == pytest.approx(ships.weights, abs=0.02)
    assert figures["right"] > 0.75 * figures["wished"]
    assert figures["right"] > 0.65 * figures["kept"]


def test_every_turn_says_where_it_found_what():
    turns = list(read_records(FOUND, FoundTurn.model_validate))
    assert len(turns) > 500
    for turn in turns:
        assert all(turn.text[slice(*found.span)] for found in turn.found)


def test_no_turn_that_judges_is_one_to_learn_from():
    learned = {turn.text.casefold() for turn in read_records(FOUND, FoundTurn.model_validate)}
    for file in (STRANGERS, HELD_OUT, FRESH):
        long = {turn.text.casefold() for turn in read_turns(file) if len(turn.text.split()) > 5}
        assert learned.isdisjoint(long)


def test_what_decides_is_found():
    draw = np.random.default_rng(3)
    examples = []
    for turn in range(400):
        wished = bool(draw.random() < 0.4)
        sign = draw.normal(1.5 if wished else -1.5)
        examples.append(
            Example({"always": 1.0, "sign": sign, "noise": draw.normal()}, wished, turn)
        )
    weights, figures = fit(examples)
    model = WishedParts(weights)
    assert model.weights["sign"] > 1 > abs(model.weights["noise"])
    odds = [sum(model.weights[k] * v for k, v in one.features.items()) for one in examples]
    kept = [odd >= 0 for odd in odds]
    right = sum(k and one.wished for k, one in zip(kept, examples, strict=True))
    assert figures["found"] == 400
    assert abs(right - figures["right"]) < 12
    assert right > 0.8 * sum(kept)


def test_a_turn_has_an_example_for_each_part():
    text = "is it quiet? I want oak"
    found = [
        {"span": at, "kind": kind, "score": 0.7, "names_items": False, "wished": wished}
        for at, kind, wished in (((6, 11), "leaning", False), ((20, 23), "constraint", True))
    ]
    turn = FoundTurn.model_validate({"before": "", "text": text, "found": found})
    first, second = examples_of(turn, 5, shipped_encoder())
    assert (first.wished, second.wished, first.turn) == (False, True, 5)
    assert first.features["leaning"] == second.features["constraint"] == 1.0
