"""Fit which words, if not understood, would be missed, on turns labelled by hand.

Of a turn's marks (`bench/understanding/turns`) a part is masked as if it had been understood. The
other words but fillers are learned from: those of what is wished, refused, taken back or asked
about would be missed, those told as a reason or not marked would not. The threshold loses `LOST`
of what would be missed, by fits without its conversation. Some five minutes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialogs.extraction.network import fitted
from ...dialogs.extraction.phrasing import FILE, Floats, Phrasing, Span
from ...dialogs.extraction.phrasing import load as load_phrasing
from ...dialogs.extraction.telling import TellingModel, word_states
from ...dialogs.language.encoder import embeddings
from ...dialogs.language.tokens import tokens
from ..progress import Counted, uncounted
from .turn_records import WRITTEN, MarkedTurn, read_turns

MISSED = frozenset("wish also drop keep pass ask about take".split())
"""Roles of what would be missed."""

COPIES = 2
"""How often a turn is read, with other marks masked; once with none."""

FOLDS = 5
PENALTY = 0.01
LOST = 0.1


@dataclass(frozen=True)
class Word:
    """A word of a turn that nothing accounts for: its state and numbers, and what it belongs to.

    `thing` counts the things that are named, -1 for what is not marked or only told; `turn` is the
    turn's place in the file.
    """

    told: Floats
    thing: int
    turn: int


def train(out: Path, seed: int = 0, counted: Counted = uncounted) -> Mapping[str, Any]:
    """Fit on the turns written by hand, write the weights to `out`, return the figures.

    The encoder is the one trained beside, or else the one that ships.
    """
    beside = out.with_name("phrasing.npz")
    phrasing = load_phrasing(beside if beside.is_file() else FILE, embeddings())
    turns = list(read_turns(WRITTEN))
    words = list(read_words(turns, phrasing, seed, counted))
    model, figures = fit(words, len(turns))
    with out.open("wb") as file:
        scalars = np.array([model.bias, model.threshold])
        np.savez_compressed(file, weights=model.weights, scalars=scalars)
    return figures


def read_words(
    turns: Sequence[MarkedTurn], phrasing: Phrasing, seed: int, counted: Counted = uncounted
) -> Iterator[Word]:
    """Yield the words of some turns that would be left if a part of the marks was understood."""
    draw = np.random.default_rng(seed)
    fillers = fitted().fillers
    things = 0
    for at, turn in enumerate(counted(turns, "turns")):
        for copy in range(COPIES):
            shown = [mark for mark in turn.marks if copy == 0 or draw.random() < 0.5]
            understood = [mark.span for mark in turn.marks if mark not in shown]
            roles: dict[Span, int] = {}
            for mark in shown:
                things += 1
                roles[mark.span] = things if mark.role in MISSED else -1
            spans = [
                (word.start, word.end)
                for word in tokens(turn.text)
                if word.folded not in fillers and not _over((word.start, word.end), understood)
            ]
            told = word_states(phrasing, turn.text, turn.before, understood, spans)
            for span, states in zip(spans, told, strict=True):
                if states is not None:
                    thing = next((roles[mark] for mark in roles if _over(span, [mark])), -1)
                    yield Word(states, thing, at)


def fit(words: Sequence[Word], turns: int) -> tuple[TellingModel, Mapping[str, Any]]:
    """Return the model, and what of the things named and of other words it tells, by folds."""
    told = np.stack([word.told for word in words]).astype(np.float64)
    things = np.array([word.thing for word in words])
    # Turns of one conversation stand together.
    folds = np.array([word.turn * FOLDS // turns for word in words])
    scores = np.zeros(len(words))
    for held in range(FOLDS):
        weights, bias = _fitted(told[folds != held], things[folds != held] >= 0)
        scores[folds == held] = told[folds == held] @ weights + bias
    named = things >= 0
    surest = np.full(int(things.max()) + 1, -np.inf)
    np.maximum.at(surest, things[named], scores[named])
    surest = surest[np.isfinite(surest)]
    threshold = float(np.quantile(surest, LOST))
    weights, bias = _fitted(told, named)
    figures = {
        "words": len(words),
        "things": len(surest),
        "lost": int((surest < threshold).sum()),
        "in_passing": int((~named).sum()),
        "left_alone": int((scores[~named] < threshold).sum()),
    }
    return TellingModel(weights.astype(np.float32), bias, threshold), figures


def _fitted(told: NDArray[np.float64], named: NDArray[np.bool_]) -> tuple[Any, float]:
    """Return weights and bias of a logistic regression over columns of mean 0 and deviation 1."""
    linear: Any = import_module("sklearn.linear_model")
    mean, deviation = told.mean(axis=0), told.std(axis=0) + 1e-3
    model = linear.LogisticRegression(C=PENALTY, max_iter=500)
    model.fit((told - mean) / deviation, named)
    weights = model.coef_[0] / deviation
    return weights, float(model.intercept_[0] - mean @ weights)


def _over(span: Span, others: Sequence[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)
