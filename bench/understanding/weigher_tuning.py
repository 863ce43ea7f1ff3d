# pyright: basic, reportMissingImports=false
"""Fine-tune the language encoder to how much people say that their wishes matter.

The texts of a conversation's wishes are scored together: what the ridge regression says where it
saw nothing of the kind, plus a linear unit over the encoder's mean state. Learned are utilities, by
their squares, and their order within a conversation, pair by pair by a logistic loss (RankNet,
Burges et al. 2005). From one seed the same on one machine, on one thread: some 4 minutes for 1,300
conversations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from ...dialogs.language.encoder import load
from ...dialogs.weighters.heard import Heard, said
from ...dialogs.weighters.training.fit import Rows, utility
from .encoder_training import Descent, FittedEncoder, embedded, write_encoder

Floats = NDArray[np.float32]

SEED = 0
EPOCHS = 4
TALKS = 8
"""Conversations of one step."""

RATE, UNIT_RATE = 5e-5, 1e-3
WARMING = 30
"""Steps over which the rates rise; then they fall to 0."""

SQUARES = 0.3
"""What the squares count beside the pairs."""

APART = 0.05
"""Utilities nearer than this have no order."""


@dataclass(frozen=True)
class Talk:
    """The pieces of the words about each wish, its score so far, its utility, what it counts."""

    texts: list[list[int]]
    scores: Floats
    utilities: Floats
    counts: Floats


class HearingNetwork(nn.Module):
    """The encoder and the linear unit over its mean states, which begins at nothing."""

    def __init__(self, encoder: FittedEncoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.unit = nn.Linear(encoder.width, 1)
        nn.init.zeros_(self.unit.weight)
        nn.init.zeros_(self.unit.bias)

    def forward(self, texts: Sequence[Sequence[int]]) -> torch.Tensor:
        """Return what is heard in each text; the longer ones are read apart, with less padding."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        thirds = [third for third in np.array_split(order, 3) if len(third)]
        states = torch.cat([self.encoder([texts[at] for at in third]) for third in thirds])
        places = torch.empty(len(order), dtype=torch.int64)
        places[torch.tensor(order)] = torch.arange(len(order))
        return self.unit(states[places])[:, 0]


def tune(
    encoder: FittedEncoder,
    talks: Sequence[Rows],
    scores: Sequence[Floats],
    counts: Sequence[float],
    epochs: int = EPOCHS,
) -> HearingNetwork:
    """Fine-tune an encoder to what conversations say beyond the scores given; return it.

    `counts`: what a wish of each conversation counts.
    """
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    draw = np.random.default_rng(SEED)
    network = HearingNetwork(encoder).train()
    each = zip(talks, scores, counts, strict=True)
    told = [_talk(encoder, rows, base, count) for rows, base, count in each]
    steps = epochs * -(-len(told) // TALKS)
    fitted = [weights for weights in encoder.parameters() if weights.requires_grad]
    groups = [
        {"params": fitted, "lr": RATE},
        {"params": network.unit.parameters(), "lr": UNIT_RATE},
    ]
    descent = Descent(network, groups, steps, WARMING)
    for _ in range(epochs):
        for batch in _batches(told, draw):
            descent.step(_loss(network, batch))
    return network.eval()


def _talk(encoder: FittedEncoder, rows: Rows, scores: Floats, count: float) -> Talk:
    texts = [said(rows.reading, number) for number in range(len(scores))]
    counts = np.full(len(scores), count, np.float32)
    numbers = [encoder.numbers(text) for text in texts]
    return Talk(numbers, scores, utility(rows.importances), counts)


def _batches(talks: Sequence[Talk], draw: np.random.Generator) -> Iterator[list[Talk]]:
    order = draw.permutation(len(talks))
    for at in range(0, len(order), TALKS):
        yield [talks[number] for number in order[at : at + TALKS]]


def _loss(network: HearingNetwork, batch: Sequence[Talk]) -> torch.Tensor:
    known = torch.from_numpy(np.concatenate([talk.scores for talk in batch]))
    utilities = torch.from_numpy(np.concatenate([talk.utilities for talk in batch]))
    counts = torch.from_numpy(np.concatenate([talk.counts for talk in batch]))
    scores = known + network([text for talk in batch for text in talk.texts])
    squares = (counts * (scores - utilities) ** 2).mean()
    pairs = torch.tensor(list(_pairs(batch)), dtype=torch.int64).reshape(-1, 2)
    if not len(pairs):
        return SQUARES * squares
    above, below = pairs.T
    chance = torch.sigmoid(utilities[above] - utilities[below])
    ordered = functional.binary_cross_entropy_with_logits(
        scores[above] - scores[below], chance, counts[above]
    )
    return SQUARES * squares + ordered


def _pairs(batch: Sequence[Talk]) -> Iterator[tuple[int, int]]:
    """Yield the rows of two wishes of one conversation, the one that matters more first."""
    first = 0
    for talk in batch:
        for one, other in combinations(range(len(talk.texts)), 2):
            apart = talk.utilities[one] - talk.utilities[other]
            if abs(apart) > APART:
                yield (first + one, first + other) if apart > 0 else (first + other, first + one)
        first += len(talk.texts)


def written(network: HearingNetwork, path: Path) -> Heard:
    """Write the encoder and return it as it is read again, with the unit."""
    write_encoder(network.encoder, path)
    weight, bias = network.unit.weight[0], network.unit.bias
    unit = torch.cat([weight, bias]).detach().numpy().astype(np.float32)
    return Heard(load(path, embedded(network.encoder)), unit)
