"""The encoder that is fitted is the one that is read, and fine-tuning teaches it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from concede.catalogs.errors import QueryError
from concede.dialogs.language.encoder import embeddings, load
from concede.dialogs.weighters.training.corpus import examples
from concede.dialogs.weighters.training.fit import rows, utility

torch = pytest.importorskip("torch", reason="needs the extra: encoder")

from concede.bench.understanding.encoder_training import (  # noqa: E402
    FittedEncoder,
    base_folder,
    embedded,
    from_base,
    from_written,
    kept_pieces,
    write_encoder,
    write_pieces,
)
from concede.bench.understanding.weigher_tuning import tune, written  # noqa: E402

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,'-"
VOCABULARY = ("[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *(f"##{letter}" for letter in LETTERS))
TEXTS = ("", "the price is what matters", "any colour, really! " * 8)


def tiny(seed: int = 0) -> FittedEncoder:
    """An encoder that nobody taught."""
    torch.manual_seed(seed)
    return FittedEncoder(VOCABULARY, 64, 96, 2)


def test_what_is_written_is_read_as_it_was_fitted(tmp_path: Path):
    fitted = tiny().eval()
    write_encoder(fitted, tmp_path / "encoder.npz")
    read = load(tmp_path / "encoder.npz", embedded(fitted))
    with torch.no_grad():
        states = fitted([fitted.numbers(text) for text in TEXTS]).numpy()
    for text, state in zip(TEXTS, states, strict=True):
        if len(fitted.numbers(text)) < 90:
            assert read.mean(text) == pytest.approx(state, abs=0.05)
    assert not states[0].any()
    write_encoder(fitted, tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "encoder.npz").read_bytes()


def test_exact_weights_give_exact_states(tmp_path: Path):
    """With weights that bytes can hold nothing is left but rounding."""
    fitted = tiny().eval()
    write_encoder(fitted, tmp_path / "encoder.npz")
    _round(fitted, tmp_path / "encoder.npz")
    read = load(tmp_path / "encoder.npz", embedded(fitted))
    with torch.no_grad():
        state = fitted([fitted.numbers(TEXTS[1])])[0].numpy()
    assert read.mean(TEXTS[1]) == pytest.approx(state, abs=1e-5)


def _round(fitted: FittedEncoder, path: Path) -> None:
    table = embedded(fitted)
    fitted.words.weight.data = torch.from_numpy(table(range(len(VOCABULARY))))
    with np.load(path) as arrays:
        fitted.places.weight.data = torch.from_numpy(arrays["places"].astype(np.float32))
        for at, layer in enumerate(fitted.layers):
            for name in ("attend", "joined", "wide", "narrow"):
                matrix = arrays[f"{at}.{name}"] * arrays[f"{at}.{name}.scale"]
                getattr(layer, name).weight.data = torch.from_numpy(matrix.T.copy())
                bias = arrays[f"{at}.{name}.bias"].astype(np.float32)
                getattr(layer, name).bias.data = torch.from_numpy(bias)


def test_fine_tuning_learns_and_repeats(tmp_path: Path):
    data = rows(examples(24, 3, "train"))
    nothing = [np.zeros(len(row.importances), np.float32) for row in data]
    once, again = (
        written(tune(tiny(), data, nothing, [1.0] * 24, 6), tmp_path / "e.npz") for _ in range(2)
    )
    assert np.array_equal(once.unit, again.unit)
    errors = [
        (once(row.reading, at) - wanted, wanted)
        for row in data
        for at, wanted in enumerate(utility(row.importances).tolist())
        if row.reading.evidence[at]
    ]
    assert np.mean([error**2 for error, _ in errors]) < np.mean([want**2 for _, want in errors])


def test_what_is_written_can_be_fitted_further(tmp_path: Path):
    fitted = tiny().eval()
    write_encoder(fitted, tmp_path / "encoder.npz")
    with np.load(tmp_path / "encoder.npz") as stored:
        again = from_written(stored, embedded(fitted)).eval()
    write_encoder(again, tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "encoder.npz").read_bytes()


def test_the_shipped_pieces_are_those_of_the_base_model(tmp_path: Path):
    try:
        fitted = from_base(base_folder(), 1)
    except QueryError as missing:
        pytest.skip(str(missing))
    write_pieces(fitted, tmp_path / "pieces.npz")
    ours, shipped = embeddings(tmp_path / "pieces.npz"), embeddings()
    assert ours.pieces == shipped.pieces
    assert np.array_equal(ours.words, shipped.words)
    assert np.array_equal(ours.scale, shipped.scale)


def test_pieces_are_kept_where_they_are_common_and_written_plainly():
    known = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "£", "the", "é", "##s", "日"]
    kept = [known[at] for at in kept_pieces(known)]
    assert kept == ["[UNK]", "[CLS]", "[SEP]", "[MASK]", "£", "the", "##s"]


def test_without_a_base_model_it_says_how_to_get_one(tmp_path: Path):
    with pytest.raises(QueryError, match="all-MiniLM-L6-v2"):
        base_folder(tmp_path)


def test_the_first_layers_are_those_of_the_base_model():
    transformers = pytest.importorskip("transformers", reason="needs the extra: train")
    try:
        folder = base_folder()
    except QueryError as missing:
        pytest.skip(str(missing))
    fitted = from_base(folder, 2).eval()
    published = transformers.BertModel.from_pretrained(folder, add_pooling_layer=False)
    published.encoder.layer = published.encoder.layer[:2]
    tokenizer = transformers.BertTokenizerFast.from_pretrained(folder)
    with torch.no_grad():
        states = published.eval()(**tokenizer(TEXTS[1], return_tensors="pt")).last_hidden_state
        ours = fitted([fitted.numbers(TEXTS[1])])[0]
    assert ours.numpy() == pytest.approx(states[0, 1:-1].mean(0).numpy(), abs=1e-2)
