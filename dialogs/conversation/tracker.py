"""The state of a conversation: what the person wishes, column by column, after each of their turns.

    tracker = Tracker.of(catalog)
    tracker.assistant("Which city?")
    tracker.user("Oakland, on March 3rd")     # {"city": "Oakland", "date": "March 3rd"}

Every column keeps what it holds, drops it or takes a value that was said, offered or asked to be
confirmed, as the reader of wishes reads it; fitted weights decide (`tracker.npz`), and a span of
the person's words goes to the one column that it fits best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ...catalogs.versions.reader import CatalogReader
from ..extraction.value_index import index_of
from .tracked_turns import SILENCE, ColumnUse, Turn, TurnReader, first_day, tracked_columns
from .tracker_options import Exchange, Option, column_options, offer

RECENT = 3
"""Values that were named before the assistant's last turn and may still be accepted, by column."""

WEIGHTS = Path(__file__).with_name("tracker.npz")
"""Fitted on the train split of Schema-Guided Dialogue (Rastogi et al. 2020), CC BY-SA 4.0."""

Weights = NDArray[np.float32]
"""The weights of hashed features, a power of two of them."""


def slots(features: Sequence[str], size: int) -> list[int]:
    """Return where features lie among `size` weights, a power of two."""
    return [crc32(feature.encode("utf-8", "replace")) & (size - 1) for feature in features]


@cache
def load_weights(path: Path) -> Weights:
    """Read the weights that training wrote."""
    with np.load(path, allow_pickle=False) as file:
        return file["weights"] * file["scale"]


@dataclass
class Tracker:
    """One conversation over a catalog; what it holds is read in `state`."""

    reader: TurnReader
    weights: Weights
    state: dict[str, str] = field(default_factory=dict[str, str])
    last_user: Turn = SILENCE
    last_assistant: Turn = SILENCE
    offered: dict[str, list[tuple[str, str]]] = field(
        default_factory=dict[str, "list[tuple[str, str]]"]
    )

    @classmethod
    def of(
        cls,
        catalog: CatalogReader,
        schema: Mapping[str, ColumnUse] | None = None,
        today: date | None = None,
    ) -> Tracker:
        """Return a tracker over a catalog: time in its distinct values, once a version.

        Relative dates count from `today`, by default the first day that the catalog holds.
        """
        index = index_of(catalog)
        columns = tracked_columns(index, schema)
        reader = TurnReader(index, columns, today or first_day(index))
        return cls(reader, load_weights(WEIGHTS))

    def again(self) -> Tracker:
        """Return a tracker for another conversation over the same columns."""
        return Tracker(self.reader, self.weights)

    def assistant(self, text: str) -> None:
        """Take in what the assistant said."""
        self.told(self.reader.assistant(text))

    def told(self, turn: Turn) -> None:
        """Take in a turn of the assistant that was read."""
        offer(self.last_assistant, self.offered, RECENT)
        self.last_assistant = turn

    def user(self, text: str) -> dict[str, str]:
        """Take in what the person said, and return what they wish now."""
        self.last_user = self.reader.user(text, self.last_assistant.text)
        self.state = decided(self.exchange(self.last_user), self.weights)
        return self.state

    def exchange(self, turn: Turn) -> Exchange:
        """Return what a decision about a turn of the person looks at."""
        columns = self.reader.columns
        return Exchange(turn, self.last_assistant, self.state, self.offered, columns)


def decided(exchange: Exchange, weights: Weights) -> dict[str, str]:
    """Return what every column holds after an exchange.

    Columns choose in the order of how sure they are; one whose span is taken chooses again
    among what is left.
    """
    ranked = [
        (column.name, *_best_first(options, weights))
        for column, options in column_options(exchange)
    ]
    state: dict[str, str] = {}
    taken: list[tuple[int, int]] = []
    for name, options, _ in sorted(ranked, key=lambda choice: -choice[2]):
        chosen = next(
            option
            for option in options
            if option.span is None
            or not any(option.span[0] < end and start < option.span[1] for start, end in taken)
        )
        if chosen.span is not None:
            taken.append(chosen.span)
        if chosen.value is not None:
            state[name] = chosen.value
    return state


def _best_first(options: list[Option], weights: Weights) -> tuple[list[Option], float]:
    size = len(weights)
    scores = [float(weights[slots(one.features, size)].sum()) for one in options]
    order = sorted(range(len(options)), key=lambda n: -scores[n])
    margin = scores[order[0]] - scores[order[1]] if len(order) > 1 else np.inf
    return [options[n] for n in order], float(margin)
