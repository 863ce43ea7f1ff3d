"""A small language encoder that nobody taught, which knows some words and letters by themselves."""

from __future__ import annotations

import torch

from concede.bench.understanding.encoder_training import FittedEncoder

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,'-?"


def untaught(*words: str, seed: int = 0) -> FittedEncoder:
    """Return an encoder of two layers that knows these words whole."""
    torch.manual_seed(seed)
    pieces = ("[UNK]", "[CLS]", "[SEP]", "[MASK]", *words)
    return FittedEncoder([*pieces, *LETTERS, *(f"##{letter}" for letter in LETTERS)], 64, 96, 2)
