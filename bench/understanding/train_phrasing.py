# pyright: basic, reportMissingImports=false
"""Fit the encoder of phrasing: MiniLM's layers and linear units over masks, in PyTorch.

What is fitted is what `dialogs/extraction/phrasing.py` computes, up to the rounding of its bytes:
the classes of masked mentions, and whether a turn wishes for anything, by their cross entropy. On
a GPU some two minutes, on two cores some two hours. On one machine the same seed makes about the
same weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ...dialogs.extraction.phrasing import DECISIONS, WHOLE, Span, masked
from ...dialogs.language.encoder import Embeddings
from ..progress import Counted, uncounted
from .encoder_training import (
    Descent,
    FittedEncoder,
    encoder_arrays,
    from_written,
    read_unit,
    unit_array,
)
from .phrasing_examples import UNKNOWN, PhrasedMessage, PhrasedTurn

LAYERS = 4
EPOCHS = 4
BATCH = 96
RATE, UNIT_RATE = 1e-4, 1e-3
WARMING = 0.06
"""The share of the steps over which the rates rise; then they fall to 0."""

COPIES = 4
"""How often a message that somebody wrote by hand comes in an epoch."""

FURTHER: Mapping[str, Any] = {"epochs": 3, "rate": 5e-5, "copies": 1}
"""How weights that were fitted before are fitted further; an hour on a core."""

SHOWN, TAKEN = 0.12, 0.04
"""Shares of what is meant that is shown as it is, and of what is not meant that is masked."""

READ_SHOWN = 0.08
"""The share of what was read of a turn that is shown as it is."""

Text = TypeVar("Text", PhrasedMessage, PhrasedTurn)

DROPPED = 0.1
CLASSES = {"polarity": 3, "side": 7, "hard": 2}
COUNTS = {"polarity": 1.0, "side": 0.5, "hard": 0.25}
"""What each decision's loss counts."""


class FittedPhrasing(nn.Module):
    """The encoder, and a linear unit for each decision over a mask's state and the whole's.

    `wish` is one over the whole's state, the masks' mean and the mean of all.
    """

    def __init__(self, encoder: FittedEncoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.units: Any = nn.ModuleDict(
            {name: nn.Linear(2 * encoder.width, CLASSES[name]) for name in DECISIONS}
        )
        self.wish = nn.Linear(3 * encoder.width, 1)
        nn.init.zeros_(self.wish.weight)
        nn.init.zeros_(self.wish.bias)

    def stored_units(self) -> list[tuple[str, Any]]:
        """Return all linear units by the names under which they are stored."""
        return [*self.units.items(), ("wished", self.wish)]

    def forward(
        self, texts: Sequence[Sequence[int]], places: torch.Tensor
    ) -> Mapping[str, torch.Tensor]:
        """Return each decision's log-odds of the masks at `places`, int64[masks, 2]."""
        states, _ = self.encoder.states(texts)
        told = torch.cat([states[places[:, 0], places[:, 1]], states[places[:, 0], 0]], dim=1)
        told = functional.dropout(told.float(), DROPPED, self.training)
        return {name: unit(told) for name, unit in self.units.items()}

    def wished(
        self, texts: Sequence[Sequence[int]], places: Sequence[Sequence[int]]
    ) -> torch.Tensor:
        """Return log-odds that each text wishes for anything; `places` are those of its masks."""
        states, there = self.encoder.states(texts)
        seen = there[..., None].to(states.dtype)
        masks = torch.stack([states[at, one].mean(0) for at, one in enumerate(places)])
        told = torch.cat([states[:, 0], masks, (states * seen).sum(1) / seen.sum(1)], dim=1)
        return self.wish(functional.dropout(told.float(), DROPPED, self.training))[:, 0]


def from_file(path: Path, embeddings: Embeddings) -> FittedPhrasing:
    """Return weights that were written, to be fitted further."""
    with np.load(path, allow_pickle=False) as stored:
        model = FittedPhrasing(from_written(stored, embeddings))
        for name, unit in model.stored_units():
            read_unit(unit, stored[f"unit.{name}"])
    return model


def fit(
    model: FittedPhrasing,
    messages: Sequence[PhrasedMessage],
    turns: Sequence[PhrasedTurn] = (),
    *,
    epochs: int = EPOCHS,
    rate: float = RATE,
    copies: int = COPIES,
    seed: int = 0,
    counted: Counted = uncounted,
) -> FittedPhrasing:
    """Return the model fitted to messages and turns, on a GPU where there is one."""
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = model.to(device).train()
    repeated = [message for message in messages for _ in range(copies if message.by_hand else 1)]
    steps = epochs * sum(-(-len(every) // BATCH) for every in (repeated, turns))
    descent = Descent(model, _groups(model, rate), steps, WARMING * steps)
    for epoch in range(epochs):
        batches = [partial(_message_loss, model, batch) for batch in _batches(repeated, draw)]
        batches += [partial(_turn_loss, model, batch) for batch in _batches(turns, draw)]
        order = [batches[at] for at in draw.permutation(len(batches))]
        for loss_of_batch in counted(order, f"pass {epoch + 1} of {epochs}"):
            with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
                loss = loss_of_batch(draw)
            if loss is None:
                continue
            descent.step(loss)
    return model.eval()


def _message_loss(
    model: FittedPhrasing, messages: Sequence[PhrasedMessage], draw: np.random.Generator
) -> torch.Tensor | None:
    """Return the loss of a batch of messages; None where nothing is masked."""
    texts, places, classes = _masked(model.encoder, messages, draw)
    if not len(places):
        return None
    device = model.wish.weight.device
    told = model(texts, torch.tensor(places, device=device))
    return _loss(told, torch.tensor(classes, device=device))


def _turn_loss(
    model: FittedPhrasing, turns: Sequence[PhrasedTurn], draw: np.random.Generator
) -> torch.Tensor | None:
    """Return the loss of a batch of turns; None where nothing is masked."""
    texts, places, wishes = _masked_turns(model.encoder, turns, draw)
    if not texts:
        return None
    odds = model.wished(texts, places)
    gold = torch.tensor(wishes, device=odds.device)
    return functional.binary_cross_entropy_with_logits(odds, gold)


def _groups(model: FittedPhrasing, rate: float) -> list[dict[str, Any]]:
    fitted = [weights for weights in model.encoder.parameters() if weights.requires_grad]
    return [
        {"params": [one for one in fitted if one.ndim > 1], "lr": rate},
        {"params": [one for one in fitted if one.ndim == 1], "lr": rate, "weight_decay": 0.0},
        {"params": [*model.units.parameters(), *model.wish.parameters()], "lr": UNIT_RATE},
    ]


def _batches(texts: Sequence[Text], draw: np.random.Generator) -> Iterator[list[Text]]:
    """Yield batches of messages, or of turns, of about one length."""
    lengths = np.array([len(text.text) + len(text.question) for text in texts])
    order = np.argsort(lengths + draw.uniform(0, 25, len(texts)))
    for start in range(0, len(texts), BATCH):
        yield [texts[row] for row in order[start : start + BATCH]]


def _masked_turns(
    encoder: FittedEncoder, turns: Sequence[PhrasedTurn], draw: np.random.Generator
) -> tuple[list[list[int]], list[list[int]], list[float]]:
    """Return the pieces of each turn's first part with masks, their places, and if it wishes."""
    texts: list[list[int]] = []
    places: list[list[int]] = []
    wishes: list[float] = []
    for turn in turns:
        spans = [span for span in turn.spans if draw.random() >= READ_SHOWN]
        for numbers, masks in masked(turn.text, turn.question, spans or turn.spans, encoder.pieces):
            texts.append(numbers)
            places.append(list(masks.values()))
            wishes.append(float(turn.wishes))
            break
    return texts, places, wishes


def _masked(
    encoder: FittedEncoder, batch: Sequence[PhrasedMessage], draw: np.random.Generator
) -> tuple[list[list[int]], np.ndarray, np.ndarray]:
    """Return the pieces of messages' parts, the places of masks in them, and their classes."""
    texts: list[list[int]] = []
    places: list[tuple[int, int]] = []
    classes: list[list[int]] = []
    for message in batch:
        spans, told = _drawn(message, draw)
        if not any(told):
            continue
        for numbers, masks in masked(message.text, message.question, spans, encoder.pieces):
            for at, place in masks.items():
                if (known := told[at]) is not None:
                    places.append((len(texts), place))
                    classes.append([known[name] for name in DECISIONS])
            texts.append(numbers)
    return texts, np.array(places, np.int64).reshape(-1, 2), np.array(classes, np.int64)


def _drawn(
    message: PhrasedMessage, draw: np.random.Generator
) -> tuple[list[Span], list[Mapping[str, int] | None]]:
    """Return the spans to mask and what each is, None for one that is not meant."""
    spans: list[Span] = []
    told: list[Mapping[str, int] | None] = []
    for mention in message.mentions:
        meant = mention.classes is not None
        share = 1 - SHOWN if meant else TAKEN
        taken = meant if mention.span == WHOLE else draw.random() < share
        apart = mention.span == WHOLE or all(
            mention.span == one or mention.span[1] <= one[0] or one[1] <= mention.span[0]
            for one in spans
        )
        if taken and apart:
            spans.append(mention.span)
            told.append(mention.classes)
    return spans, told


def _loss(told: Mapping[str, torch.Tensor], classes: torch.Tensor) -> torch.Tensor:
    losses = [
        COUNTS[name] * functional.cross_entropy(told[name], classes[:, at], ignore_index=UNKNOWN)
        for at, name in enumerate(DECISIONS)
        if bool((classes[:, at] != UNKNOWN).any())
    ]
    return torch.stack(losses).sum()


def write_phrasing(model: FittedPhrasing, path: Path) -> None:
    """Write the weights as `dialogs/extraction/phrasing.py` reads them."""
    arrays = encoder_arrays(model.encoder)
    for name, unit in model.stored_units():
        arrays[f"unit.{name}"] = unit_array(unit)
    np.savez_compressed(path, **arrays)
