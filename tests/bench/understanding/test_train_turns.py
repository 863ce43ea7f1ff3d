"""The encoder of turns that is fitted is the one that is read, and it learns acts and roles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from concede.bench.understanding.turn_records import ACT_NAMES, FIRST_NAMES, marked_turn
from concede.dialogs.conversation import turn_encoder

torch = pytest.importorskip("torch", reason="needs the extra: encoder")

from concede.bench.understanding.encoder_training import FittedEncoder, embedded  # noqa: E402
from concede.bench.understanding.train_turns import (  # noqa: E402
    COPIES,
    UNKNOWN,
    FittedTurns,
    averaged,
    example,
    fit,
    from_file,
    further,
    write_turns,
)
from untaught_encoder import untaught  # noqa: E402


def tiny() -> FittedEncoder:
    """An encoder that nobody taught."""
    return untaught("take", "want", "has", "red", "gas", "it")


TAUGHT = [
    marked_turn("this?", [(words.format(thing), act)], ACT_NAMES)
    for thing in ("gas", "red", "it")
    for words, act in (
        ("take {{take:{}}}", "affirm select"),
        ("want {{wish:{}}}", "inform"),
        ("has it {{ask:{}}}?", "ask value"),
    )
]


def test_what_is_fitted_is_read_and_learns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    fitted = fit(FittedTurns(tiny()), TAUGHT, epochs=60, rate=2e-3)
    write_turns(fitted, tmp_path / "turns.npz")
    monkeypatch.setattr(turn_encoder, "embeddings", lambda: embedded(fitted.encoder))
    read = turn_encoder.load(tmp_path / "turns.npz")
    for turn in TAUGHT:
        heard = read.hear(turn.text, turn.before, [span for span, _ in turn.sentences])
        one = example(turn, fitted.encoder.pieces)
        assert one is not None
        with torch.no_grad():
            acts, roles = fitted([one.numbers], [one.sentences])
        odds = 1 / (1 + np.exp(-acts[0].numpy()))
        assert [*heard.acts[0].values()] == pytest.approx(odds, abs=0.1)
        assert {name for name, chance in heard.acts[0].items() if chance > 0.5} == {
            *turn.sentences[0][1]
        }
        shares = torch.softmax(roles[0], dim=-1).numpy()[-1 - len(heard.pieces) : -1]
        assert heard.chances == pytest.approx(shares, abs=0.1)
        (mark,) = turn.marks
        assert heard.spans(mark.role) == [mark.span]


def test_what_was_written_is_fitted_further(tmp_path: Path):
    written = fit(FittedTurns(tiny()), TAUGHT, epochs=1)
    write_turns(written, tmp_path / "turns.npz")
    model = from_file(tmp_path / "turns.npz", embedded(written.encoder)).eval()
    one = example(TAUGHT[0], written.encoder.pieces)
    assert one is not None
    with torch.no_grad():
        before, after = (each([one.numbers], [one.sentences])[0] for each in (written, model))
    assert after[0].numpy() == pytest.approx(before[0].numpy(), abs=0.1)
    mean = averaged(written, fit(model, TAUGHT, epochs=5, rate=2e-3), 1.0)
    with torch.no_grad():
        again = mean([one.numbers], [one.sentences])[0]
    assert again[0].numpy() == pytest.approx(before[0].numpy(), abs=1e-4)
    typed, others = TAUGHT[:2], TAUGHT[2:]
    assert further(typed, others)[: COPIES * len(typed)] == typed * COPIES


def test_what_nobody_labelled_is_not_learned():
    pieces = tiny().pieces
    first = example(marked_turn("", [("take it", "")], FIRST_NAMES), pieces)
    assert first is not None
    unknown = [name for name, one in zip(ACT_NAMES, first.acts[0], strict=True) if one == UNKNOWN]
    assert unknown == [name for name in ACT_NAMES if name not in FIRST_NAMES]
    bare = example(marked_turn("", [("take it", "note")], ACT_NAMES, has_roles=False), pieces)
    assert bare is not None
    assert {*bare.roles} == {UNKNOWN}
