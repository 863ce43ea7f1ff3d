"""What an utterance asks for: the chance of each node that may be told, and the kind of turn.

Each node's chance is the mean, as a logit, of a logistic regression's and of boosted trees'.
`provider.npz` holds both; `bench/clarq/train_provider.py` makes it again from its seed. Trained
on the choices of GPT-4o in the recorded dialogues of ClarQ-LLM (github.com/ygan/ClarQ-LLM, MIT)
and on utterances of our own. NumPy alone; about a millisecond a turn.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from .features import Moment, node_features, turn_features
from .task_view import Rarity, TaskView
from .utterances import Utterance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILE = Path(__file__).parent / "provider.npz"

KINDS = (1, 3, 4, 5, 6)
"""The kinds of turns that are told nothing: whole task, no answer, repeated, unrelated, vague."""

_CAP = 8.0
"""As a logit, how sure either model can be."""


@dataclass(frozen=True)
class Linear:
    """Weights over standardized features: float32[features], or [features, classes]."""

    mean: NDArray[np.float32]
    scale: NDArray[np.float32]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]

    def logits(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return float64[rows], or [rows, classes]."""
        return ((rows - self.mean) / self.scale) @ self.weights + self.bias


@dataclass(frozen=True)
class Trees:
    """Trees side by side, each [trees, nodes]; a leaf is its own child on either side."""

    feature: NDArray[np.int16]
    threshold: NDArray[np.float64]
    left: NDArray[np.int16]
    right: NDArray[np.int16]
    value: NDArray[np.float32]
    base: float
    depth: int

    def logits(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return float64[rows]: the sum of the leaves that each row falls into."""
        import numpy as np

        trees = np.arange(len(self.feature))
        at = np.zeros((len(rows), len(trees)), dtype=np.intp)
        every = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            goes_left = rows[every, self.feature[trees, at]] <= self.threshold[trees, at]
            at = np.where(goes_left, self.left[trees, at], self.right[trees, at]).astype(np.intp)
        return self.value[trees, at].sum(axis=1, dtype=np.float64) + self.base


@dataclass(frozen=True, eq=False)
class Matcher:
    """What was learned. `rarity`: how telling a term is in general."""

    linear: Linear
    trees: Trees
    kinds: Linear
    rarity: Rarity = field(repr=False)

    def chances(self, view: TaskView, said: Utterance, moment: Moment) -> list[float]:
        """Return for each candidate how likely it is asked for, in [0, 1]."""
        if not moment.candidates:
            return []
        return self.chances_of(node_features(view, said, moment)).tolist()

    def chances_of(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return float64[rows]: the chances of nodes with these features."""
        import numpy as np

        one = np.clip(self.linear.logits(rows), -_CAP, _CAP)
        other = np.clip(self.trees.logits(rows), -_CAP, _CAP)
        return 1 / (1 + np.exp(-(one + other) / 2))

    def kind(self, view: TaskView, said: Utterance, moment: Moment) -> int:
        """Return the likeliest of `KINDS` for a turn that is told nothing new."""
        return KINDS[int(self.kinds.logits(turn_features(view, said, moment)).argmax())]


def saved(matcher: Matcher) -> bytes:
    """Return a matcher as the bytes of its file, the same for the same matcher."""
    import numpy as np

    words = sorted(matcher.rarity)
    arrays: dict[str, Any] = {
        "words": np.array(words),
        "rarity": np.array([matcher.rarity[word] for word in words], dtype=np.float32),
    }
    for name in ("linear", "trees", "kinds"):
        values = cast("dict[str, Any]", vars(getattr(matcher, name)))
        arrays |= {f"{name}_{key}": np.asarray(value) for key, value in values.items()}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def read_matcher(content: bytes) -> Matcher:
    """Return the matcher that `saved` wrote."""
    import numpy as np

    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        parts = {name: arrays[name] for name in arrays.files}
    rarity = dict(zip(parts["words"].tolist(), parts["rarity"].tolist(), strict=True))
    trees = _part(parts, "trees")
    trees |= {"base": float(trees["base"]), "depth": int(trees["depth"])}
    linear, kinds = Linear(**_part(parts, "linear")), Linear(**_part(parts, "kinds"))
    return Matcher(linear, Trees(**trees), kinds, rarity)


def _part(parts: Mapping[str, Any], name: str) -> dict[str, Any]:
    start = f"{name}_"
    return {key.removeprefix(start): value for key, value in parts.items() if key.startswith(start)}


@cache
def shipped_matcher() -> Matcher:
    """Return the matcher that ships."""
    return read_matcher(FILE.read_bytes())
