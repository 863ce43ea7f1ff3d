# pyright: basic, reportMissingImports=false
"""Fit the encoder of turns: MiniLM's layers and units over sentences and pieces, in PyTorch.

What is fitted is what `dialogs/conversation/turn_encoder.py` computes, up to the rounding of its
bytes: the acts of each sentence and the role of each word piece, by their cross entropy. It begins
with the layers of the encoder of phrasing. Half an hour on two cores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ...dialogs.conversation.turn_encoder import NOTHING
from ...dialogs.extraction.phrasing import beginning
from ...dialogs.language.encoder import LONGEST, Embeddings
from ...dialogs.language.wordpiece import WordPieces
from ..progress import Counted, uncounted
from .encoder_training import (
    Descent,
    FittedEncoder,
    encoder_arrays,
    from_written,
    read_unit,
    unit_array,
)
from .turn_records import ACT_NAMES, ROLES, MarkedTurn

EPOCHS = 4
BATCH = 32
RATE, UNIT_RATE = 2e-4, 1e-3
FURTHER: Mapping[str, Any] = {"epochs": 3, "rate": 1.5e-4, "unit_rate": 3e-4}
"""How weights that were fitted before are fitted further; half an hour on a core and a half."""

KEPT = 0.3
"""The share of the weights that they were before, in the mean that is written then: so what was
learned first is not unlearned (Wortsman et al. 2022, Robust fine-tuning of zero-shot models)."""

COPIES, OTHERS = 2, 5_000
"""How often turns typed to the assistant itself come then, and how many of the others do."""

WARMING = 0.06
"""The share of the steps over which the rates rise; then they fall to 0."""

DROPPED = 0.1
ROLES_COUNT = 3.0
"""What the loss of roles counts beside that of acts."""

NAMELESS = 0.3
"""What a piece counts that names nothing; most of them do."""

ALL_ROLES = (NOTHING, *ROLES)
UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class TurnExample:
    """A turn's pieces in their frame, the pieces of each sentence, and what they are.

    `acts`: for each sentence float32[acts], -1 for one that nobody labelled; `roles`: for each
    piece the place of its role, -1 for pieces that are not judged.
    """

    numbers: Sequence[int]
    sentences: Sequence[tuple[int, int]]
    acts: Sequence[Sequence[float]]
    roles: Sequence[int]


class FittedTurns(nn.Module):
    """The encoder, and linear units over sentences and over pieces."""

    def __init__(self, encoder: FittedEncoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.acts = nn.Linear(3 * encoder.width, len(ACT_NAMES))
        self.roles = nn.Linear(2 * encoder.width, len(ALL_ROLES))

    def forward(
        self, texts: Sequence[Sequence[int]], sentences: Sequence[Sequence[tuple[int, int]]]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return log-odds of the acts of all sentences, and of the roles of all pieces."""
        states, _ = self.encoder.states(texts)
        told = [
            torch.cat([states[at, 0], states[at, a:b].mean(0), states[at, a:b].amax(0)])
            for at, spans in enumerate(sentences)
            for a, b in spans
        ]
        acts = self.acts(functional.dropout(torch.stack(told), DROPPED, self.training))
        beside = states[:, :1].expand(-1, states.shape[1], -1)
        roles = torch.cat([states, beside], dim=-1)
        return acts, self.roles(functional.dropout(roles, DROPPED, self.training))


def from_file(path: Path, embeddings: Embeddings) -> FittedTurns:
    """Return weights that were written, to be fitted further."""
    with np.load(path, allow_pickle=False) as stored:
        model = FittedTurns(from_written(stored, embeddings))
        for name, unit in (("acts", model.acts), ("roles", model.roles)):
            read_unit(unit, stored[f"unit.{name}"])
    return model


def averaged(before: FittedTurns, after: FittedTurns, kept: float = KEPT) -> FittedTurns:
    """Return the model with the mean of its weights and of those before, which count `kept`."""
    old = before.state_dict()
    mean = {
        name: kept * old[name] + (1 - kept) * new.cpu() for name, new in after.state_dict().items()
    }
    after.load_state_dict(mean)
    return after


def further(typed: Sequence[MarkedTurn], others: Sequence[MarkedTurn]) -> list[MarkedTurn]:
    """Return the turns that weights fitted before are fitted further to."""
    others = list(others)
    Random(1).shuffle(others)
    return [*typed] * COPIES + others[:OTHERS]


def example(turn: MarkedTurn, pieces: WordPieces) -> TurnExample | None:
    """Return a turn to learn from; None where no sentence of it is read."""
    begin = beginning(turn.before, pieces)
    cut = list(pieces.cut(turn.text))[: LONGEST + 1 - len(begin)]
    numbers = [*begin, *(piece for piece, _, _ in cut), pieces.end]
    roles = [UNKNOWN] * len(numbers)
    for at, (_, start, end) in enumerate(cut, len(begin)):
        named = (m.role for m in turn.marks if start < m.span[1] and m.span[0] < end)
        roles[at] = ALL_ROLES.index(next(named, NOTHING)) if turn.has_roles else UNKNOWN
    sentences: list[tuple[int, int]] = []
    acts: list[list[float]] = []
    for (start, end), gold in turn.sentences:
        inside = [at for at, (_, a, _) in enumerate(cut, len(begin)) if start <= a < end]
        if inside:
            sentences.append((inside[0], inside[-1] + 1))
            acts.append(
                [float(name in gold) if name in turn.acts else UNKNOWN for name in ACT_NAMES]
            )
    return TurnExample(numbers, sentences, acts, roles) if sentences else None


def fit(
    model: FittedTurns,
    turns: Iterable[MarkedTurn],
    *,
    epochs: int = EPOCHS,
    rate: float = RATE,
    unit_rate: float = UNIT_RATE,
    seed: int = 0,
    counted: Counted = uncounted,
) -> FittedTurns:
    """Return the model fitted to turns, on a GPU where there is one."""
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = model.to(device).train()
    known = [one for turn in turns if (one := example(turn, model.encoder.pieces)) is not None]
    steps = epochs * -(-len(known) // BATCH)
    descent = Descent(model, _groups(model, rate, unit_rate), steps, WARMING * steps)
    for epoch in range(epochs):
        for batch in counted(list(_batches(known, draw)), f"pass {epoch + 1} of {epochs}"):
            with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
                loss = _loss(model, batch)
            descent.step(loss)
    return model.eval()


def _loss(model: FittedTurns, batch: Sequence[TurnExample]) -> torch.Tensor:
    """Return the loss of a batch: of acts by sentence, of roles by piece."""
    acts, roles = model([one.numbers for one in batch], [one.sentences for one in batch])
    tensor = partial(torch.tensor, device=acts.device)
    gold = tensor([row for one in batch for row in one.acts])
    odds = functional.binary_cross_entropy_with_logits(acts.float(), gold, reduction="none")
    of_acts = (odds * (gold != UNKNOWN)).sum(1).mean()
    longest = roles.shape[1]
    named = tensor([[*one.roles, *[UNKNOWN] * (longest - len(one.roles))] for one in batch])
    if not bool((named != UNKNOWN).any()):
        return of_acts
    counts = torch.ones(len(ALL_ROLES), device=acts.device)
    counts[0] = NAMELESS
    of_roles = functional.cross_entropy(
        roles.float().flatten(0, 1), named.flatten(), weight=counts, ignore_index=UNKNOWN
    )
    return of_acts + ROLES_COUNT * of_roles


def _groups(model: FittedTurns, rate: float, unit_rate: float) -> list[dict[str, Any]]:
    fitted = [weights for weights in model.encoder.parameters() if weights.requires_grad]
    return [
        {"params": fitted, "lr": rate},
        {"params": [*model.acts.parameters(), *model.roles.parameters()], "lr": unit_rate},
    ]


def _batches(
    examples: Sequence[TurnExample], draw: np.random.Generator
) -> Iterator[list[TurnExample]]:
    """Yield batches of turns of about one length, in any order."""
    lengths = np.array([len(one.numbers) for one in examples])
    order = np.argsort(lengths + draw.uniform(0, 8, len(examples)))
    starts = draw.permutation(range(0, len(examples), BATCH))
    for start in starts:
        yield [examples[row] for row in order[start : start + BATCH]]


def write_turns(model: FittedTurns, path: Path) -> None:
    """Write the weights as `dialogs/conversation/turn_encoder.py` reads them."""
    arrays = encoder_arrays(model.encoder)
    for name, unit in (("acts", model.acts), ("roles", model.roles)):
        arrays[f"unit.{name}"] = unit_array(unit)
    arrays["acts"], arrays["roles"] = np.str_(",".join(ACT_NAMES)), np.str_(",".join(ALL_ROLES))
    np.savez_compressed(path, **arrays)
