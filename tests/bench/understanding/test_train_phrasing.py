"""The encoder of phrasing that is fitted is the one that is read, and it learns refusals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from concede.dialogs.extraction.phrasing import DECISIONS, WHOLE, load, masked

torch = pytest.importorskip("torch", reason="needs the extra: encoder")

from concede.bench.understanding.encoder_training import FittedEncoder, embedded  # noqa: E402
from concede.bench.understanding.labelled import (  # noqa: E402
    LabelledConstraint,
    LabelledSentence,
)
from concede.bench.understanding.phrasing_examples import (  # noqa: E402
    MaskedMention,
    PhrasedMessage,
    PhrasedTurn,
    phrased_messages,
)
from concede.bench.understanding.train_phrasing import (  # noqa: E402
    FittedPhrasing,
    fit,
    write_phrasing,
)
from concede.catalogs.catalog import Catalog  # noqa: E402
from untaught_encoder import untaught  # noqa: E402


def tiny() -> FittedEncoder:
    """An encoder that nobody taught."""
    return untaught("no", "want", "please", "never")


def message(text: str, thing: str, polarity: int, question: str = "") -> PhrasedMessage:
    span = (text.index(thing), text.index(thing) + len(thing)) if thing else WHOLE
    classes = {"polarity": polarity, "side": -1, "hard": -1}
    return PhrasedMessage(text, question, [MaskedMention(span, classes)], by_hand=True)


TAUGHT = [
    message(text.format(thing), thing, polarity)
    for thing in ("gas", "oil", "a porch", "red")
    for text, polarity in (("no {}", 1), ("want {}", 0), ("{} please", 0), ("never {}", 1))
]


def test_what_is_fitted_is_read_and_learns(tmp_path: Path):
    fitted = fit(FittedPhrasing(tiny()), TAUGHT, epochs=40, rate=2e-3)
    write_phrasing(fitted, tmp_path / "phrasing.npz")
    read = load(tmp_path / "phrasing.npz", embedded(fitted.encoder))
    unseen = [message("no cats", "cats", 1), message("want cats", "cats", 0)]
    for one in [*TAUGHT, *unseen]:
        spans = [mention.span for mention in one.mentions]
        ((numbers, places),) = masked(one.text, one.question, spans, fitted.encoder.pieces)
        with torch.no_grad():
            told = fitted([numbers], torch.tensor([[0, places[0]]]))
        states = read.encoder.states(numbers)
        for name in DECISIONS:
            unit = read.units[name]
            ours = np.concatenate([states[places[0]], states[0]]) @ unit[1:] + unit[0]
            assert ours == pytest.approx(told[name][0].numpy(), abs=0.2)
        assert int(told["polarity"].argmax()) == one.mentions[0].classes["polarity"]  # type: ignore[index]


TURNS = [
    PhrasedTurn(text.format(thing), "", [(text.index("{"), text.index("{") + len(thing))], wishes)
    for thing in ("gas", "oil", "a porch", "red")
    for text, wishes in (("want {}", True), ("{} please", True), ("he has {}", False))
]


def test_turns_teach_which_of_them_wish(tmp_path: Path):
    fitted = fit(FittedPhrasing(tiny()), TAUGHT[:4], TURNS, epochs=60, rate=2e-3)
    write_phrasing(fitted, tmp_path / "phrasing.npz")
    read = load(tmp_path / "phrasing.npz", embedded(fitted.encoder))
    for turn in TURNS:
        ((numbers, places),) = masked(turn.text, "", turn.spans, fitted.encoder.pieces)
        with torch.no_grad():
            told = float(fitted.wished([numbers], [list(places.values())])[0])
        states = read.encoder.states(numbers)
        masks = states[list(places.values())].mean(axis=0)
        message = np.concatenate([states[0], masks, states.mean(axis=0)])
        assert float(message @ read.wish[1:] + read.wish[0]) == pytest.approx(told, abs=0.3)
        assert (told > 0) == turn.wishes


def test_it_is_the_same_again(tmp_path: Path):
    for name in ("one", "two"):
        write_phrasing(fit(FittedPhrasing(tiny()), TAUGHT[:4], epochs=2), tmp_path / f"{name}.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_sentences_teach_their_mentions(tmp_path: Path):
    path = tmp_path / "flats.csv"
    path.write_text("Flat,Heating,Rent\nf1,gas,500\nf2,oil,600\nf3,gas,700\nf4,oil,900\n")
    sentence = LabelledSentence(
        "flats",
        "No oil, 600 at most.",
        constraints=(
            LabelledConstraint("Heating", "!=", "oil", (3, 6)),
            LabelledConstraint("Rent", "<=", 600, (8, 11)),
        ),
        source="known",
    )
    (one,) = phrased_messages([sentence, sentence], {"flats": Catalog.open(path)})
    meant = {one.text[slice(*m.span)]: m.classes for m in one.mentions if m.classes}
    assert one.by_hand
    assert meant["oil"]["polarity"] == 1
    assert meant["600"]["side"] == 2
    assert FittedPhrasing(tiny()).units.keys() == set(DECISIONS)
