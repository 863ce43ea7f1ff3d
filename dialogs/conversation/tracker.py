"""The state of a conversation: what the person wishes, column by column, after each of their turns.

    tracker = Tracker(catalog)
    tracker.assistant("Which city?")
    tracker.user("Oakland, on March 3rd")     # {"city": "Oakland", "date": "March 3rd"}

Every column keeps what it holds, drops it or takes a value that was said, offered or asked to be
confirmed; fitted weights decide (`tracker.npz`), and a span of the person's words goes to the one
column that it fits best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ...catalogs.versions.reader import CatalogReader
from .hashed_weights import HashedWeights, load_weights
from .tracked_columns import ColumnWords, TrackedColumn, tracked_columns
from .tracker_options import Exchange, Option, column_options, fitting
from .turn_reading import SILENCE, Turn, asked_features, read_turn
from .value_spans import ValueSpans

RECENT = 3
"""Values that were named before the assistant's last turn and may still be accepted, by column."""

WEIGHTS = Path(__file__).with_name("tracker.npz")
"""Fitted on the train split of Schema-Guided Dialogue (Rastogi et al. 2020), CC BY-SA 4.0."""


@dataclass
class Tracker:
    """One conversation over some columns; what it holds is read in `state`."""

    columns: Sequence[TrackedColumn]
    spans: ValueSpans
    weights: Mapping[str, HashedWeights]
    held: dict[int, str] = field(default_factory=dict[int, str])
    last_user: Turn = SILENCE
    last_assistant: Turn = SILENCE
    offered: dict[int, list[tuple[str, str]]] = field(
        default_factory=dict[int, "list[tuple[str, str]]"]
    )

    @classmethod
    def of(
        cls, catalog: CatalogReader, dictionary: Mapping[str, ColumnWords] | None = None
    ) -> Tracker:
        """Return a tracker over a catalog: time in its distinct values, once."""
        columns = tracked_columns(catalog, dictionary)
        return cls(columns, ValueSpans.of(columns), load_weights(WEIGHTS))

    def again(self) -> Tracker:
        """Return a tracker for another conversation over the same columns."""
        return Tracker(self.columns, self.spans, self.weights)

    @property
    def state(self) -> dict[str, str]:
        """What the person wishes now, by column."""
        return {self.columns[number].name: value for number, value in self.held.items()}

    def assistant(self, text: str) -> None:
        """Take in what the assistant said."""
        self._offer(self.last_assistant)
        turn = read_turn(text, self.spans.find(text), self.weights["told"], self.last_user.acts)
        scores = self.weights["asked"]
        asked = [
            1.0 / (1.0 + float(np.exp(-scores.scores(features)[0])))
            for features in asked_features(turn.words, self.columns)
        ]
        self.last_assistant = Turn(
            turn.text, turn.words, turn.starts, turn.mentions, turn.acts, asked
        )

    def user(self, text: str) -> dict[str, str]:
        """Take in what the person said, and return what they wish now."""
        exchange = self.heard(text)
        self.held = decided(exchange, self.weights["state"])
        return self.state

    def heard(self, text: str) -> Exchange:
        """Read a turn of the person without deciding what follows from it."""
        self.last_user = read_turn(
            text, self.spans.find(text), self.weights["said"], self.last_assistant.acts
        )
        return Exchange(
            self.last_user, self.last_assistant, dict(self.held), self.offered, self.columns
        )

    def _offer(self, turn: Turn) -> None:
        """Keep the values of a turn that is no longer the last."""
        how = "".join("01"[turn.acts.get(act, 0.0) > 0.5] for act in ("OFFER", "CONFIRM"))
        for mention in turn.mentions:
            for number, column in enumerate(self.columns):
                fit = fitting(mention, number, column) if column.wished else None
                if fit is not None and (fit[1] == "W" or mention.kind in ("date", "time")):
                    values = [pair for pair in self.offered.get(number, ()) if pair[0] != fit[0]]
                    self.offered[number] = [(fit[0], how + fit[1]), *values][:RECENT]


def decided(exchange: Exchange, weights: HashedWeights) -> dict[int, str]:
    """Return what every column holds after an exchange.

    Columns choose in the order of how sure they are; one whose span is taken chooses again
    among what is left.
    """
    ranked = [
        (number, *_best_first(options, weights)) for number, options in column_options(exchange)
    ]
    state: dict[int, str] = {}
    taken: list[tuple[int, int]] = []
    for number, options, _ in sorted(ranked, key=lambda choice: -choice[2]):
        chosen = next(
            option
            for option in options
            if option.span is None
            or not any(option.span[0] < end and start < option.span[1] for start, end in taken)
        )
        if chosen.span is not None:
            taken.append(chosen.span)
        if chosen.value is not None:
            state[number] = chosen.value
    return state


def _best_first(options: list[Option], weights: HashedWeights) -> tuple[list[Option], float]:
    scores = [float(weights.scores(option.features)[0]) for option in options]
    order = sorted(range(len(options)), key=lambda n: -scores[n])
    margin = scores[order[0]] - scores[order[1]] if len(order) > 1 else np.inf
    return [options[n] for n in order], float(margin)
