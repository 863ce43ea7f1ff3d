"""Fit which parts of what is found in a turn are wished for, on turns that a chat model read.

A logistic regression over the features of `dialogs/conversation/wished_parts.py`; its figures are
by folds of whole conversations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from ...dialogs.conversation.parts import cut
from ...dialogs.conversation.said import sentence_at, sentences_of
from ...dialogs.conversation.turn_encoder import FILE, TurnEncoder, load
from ...dialogs.conversation.wished_parts import ITEM_ACTS, FoundPart, Kind, features
from ..json_lines import read_records
from ..progress import Counted, uncounted
from .turn_records import FOLDER

FOUND = FOLDER / "found.jsonl"
"""Turns, with what the extractor found in them and whether a chat model read it as a wish."""

FOLDS = 5
PENALTY = 1.0
"""Inverse strength of the regression's penalty."""


@dataclass(frozen=True, slots=True)
class Example:
    """A part with its features by name, and whether it is wished for; `turn` counts the turns."""

    features: Mapping[str, float]
    wished: bool
    turn: int


def train(out: Path, counted: Counted = uncounted) -> Mapping[str, Any]:
    """Fit on the turns of strangers, write the weights to `out`, return the figures.

    The encoder of turns is the one trained beside, or else the one that ships.
    """
    beside = out.with_name("turns.npz")
    encoder = load(beside if beside.is_file() else FILE)
    turns = list(read_records(FOUND, FoundTurn.model_validate))
    examples = [
        example
        for at, turn in enumerate(counted(turns, "turns"))
        for example in examples_of(turn, at, encoder)
    ]
    weights, figures = fit(examples)
    with out.open("wb") as file:
        np.savez_compressed(
            file,
            names=np.str_(",".join(weights)),
            weights=np.array([*weights.values()], np.float32),
        )
    return {"turns": len(turns), **figures}


def examples_of(turn: FoundTurn, number: int, encoder: TurnEncoder) -> list[Example]:
    """Return what was found in a turn as the encoder hears it."""
    heard = encoder.hear(turn.text, turn.before, cut(turn.text))
    said = sentences_of(turn.text, heard)
    about_items = any(sentence.does(*ITEM_ACTS) for sentence in said)
    examples: list[Example] = []
    for found in turn.found:
        sentence = sentence_at(said, found.span[0]) or said[0]
        part = FoundPart(found.kind, found.score, found.names_items, about_items)
        values = dict(features(part, heard.role_of(found.span), sentence.acts))
        examples.append(Example(values, found.wished, number))
    return examples


def fit(examples: Sequence[Example]) -> tuple[Mapping[str, float], Mapping[str, Any]]:
    """Return the weights of features by name, and what is kept and right by folds."""
    names = sorted({name for example in examples for name in example.features})
    matrix = np.array([[part.features.get(name, 0.0) for name in names] for part in examples])
    labels = np.array([part.wished for part in examples])
    # Turns of one conversation stand together.
    turn_numbers = np.array([part.turn for part in examples])
    folds = turn_numbers * FOLDS // (int(turn_numbers.max()) + 1)
    kept = np.zeros(len(examples), np.bool_)
    for held in range(FOLDS):
        fold = folds == held
        kept[fold] = matrix[fold] @ _fitted(matrix[~fold], labels[~fold]) >= 0
    figures = {
        "found": len(examples),
        "wished": int(labels.sum()),
        "kept": int(kept.sum()),
        "right": int((kept & labels).sum()),
    }
    weights: list[float] = _fitted(matrix, labels).tolist()
    return dict(zip(names, weights, strict=True)), figures


def _fitted(matrix: NDArray[np.float64], labels: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the weights of a logistic regression; one feature is always 1."""
    linear: Any = import_module("sklearn.linear_model")
    model = linear.LogisticRegression(C=PENALTY, max_iter=2_000, fit_intercept=False)
    weights: NDArray[np.float64] = model.fit(matrix, labels).coef_[0]
    return weights


class FoundPartRecord(BaseModel):
    """A part: the characters that say it, of which kind, how surely, and whether it is wished."""

    span: tuple[int, int]
    kind: Kind
    score: float
    names_items: bool
    wished: bool


class FoundTurn(BaseModel):
    """A turn said after `before`, and what was found in it."""

    before: str
    text: str
    found: list[FoundPartRecord]
