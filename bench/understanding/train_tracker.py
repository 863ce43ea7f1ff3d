"""Trains the state tracker on conversations with labels: which value each column takes.

Turns are read once by the readers of wishes and of acts; choices are fitted twice: with the true
state before each turn, then also with the states that the first weights lead to.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from ...dialogs.conversation.acts import ActModel
from ...dialogs.conversation.tracked_turns import (
    TrackedColumn,
    Turn,
    TurnReader,
    first_day,
    tracked_columns,
)
from ...dialogs.conversation.tracker import Tracker, Weights, decided, slots
from ...dialogs.conversation.tracker_options import Exchange, column_options
from ...dialogs.extraction.network import Network, fitted, load
from ...dialogs.extraction.value_index import index_of
from ..progress import Counted, uncounted
from . import fitting
from .dialogues import Dialogue, Service, open_catalog, read_dialogues, read_services
from .state_scores import matched

fit_choices = cast("Any", fitting.fit_choices)  # pyright: ignore[reportUnknownMemberType]
STATE_SIZE = 1 << 17
UNSAID = 7
"""Of so many conversations one is read without knowing what columns are used for."""

RIGHT = 0.95
"""How alike an option and a true value of free text must be for the option to be right."""

State = Mapping[str, Sequence[str]]


@dataclass
class Choices:
    """Options in groups, one group a column and turn, and which options are right.

    Features are positions in the table of weights, flat, with where each option begins.
    """

    rows: array[int] = field(default_factory=lambda: array("i"))
    begins: array[int] = field(default_factory=lambda: array("q", [0]))
    groups: list[int] = field(default_factory=lambda: [0])
    right: list[bool] = field(default_factory=list[bool])

    def add(self, exchange: Exchange, gold: State) -> None:
        """Add the groups of an exchange in which some option is right."""
        for column, options in column_options(exchange):
            true = gold.get(column.name)
            right = [is_right(column, option.value, true) for option in options]
            if not any(right) or len(options) < 2:
                continue
            for option in options:
                self.rows.extend(slots(option.features, STATE_SIZE))
                self.begins.append(len(self.rows))
            self.right.extend(right)
            self.groups.append(len(self.right))

    def fit(self, passes: int = 4, pace: tuple[float, float] = (0.15, 1e-3)) -> Weights:
        """Return the weights that choose right most often."""
        rows, begins = np.frombuffer(self.rows, np.int32), np.frombuffer(self.begins, np.int64)
        groups, right = np.array(self.groups), np.array(self.right)
        weights, squares = np.zeros(STATE_SIZE), np.ones(STATE_SIZE)
        generator = np.random.default_rng(0)
        for _ in range(passes):
            order = generator.permutation(len(groups) - 1)
            fit_choices(rows, begins, groups, right, weights, squares, order, pace)
        return weights.astype(np.float32)


def is_right(column: TrackedColumn, value: str | None, true: Sequence[str] | None) -> bool:
    """Return whether a value (None: nothing) is what a column should hold."""
    if true is None or value is None:
        return true is None and value is None
    return matched(value, true, fuzzy=not column.closed) >= RIGHT


@dataclass(frozen=True)
class Talk:
    """A conversation as it was read: each turn, with the true state behind one of the person."""

    reader: TurnReader
    turns: Sequence[tuple[Turn, State | None]]

    def exchanges(self, follow: Weights | None = None) -> Iterator[tuple[Exchange, State]]:
        """Yield every exchange; after true states, or those that `follow` decides."""
        tracker = Tracker(self.reader, np.zeros(1, np.float32))
        for turn, gold in self.turns:
            if gold is None:
                tracker.told(turn)
                continue
            exchange = tracker.exchange(turn)
            yield exchange, gold
            if follow is not None:
                tracker.state = decided(exchange, follow)
            else:
                held = tracker.state
                tracker.state = {
                    name: held[name] if held.get(name) in gold[name] else gold[name][0]
                    for name in self.reader.columns
                    if name in gold
                }


def read_talk(dialogue: Dialogue, reader: TurnReader) -> Talk:
    """Read a conversation with labels."""
    known, before = frozenset(reader.columns), ""
    turns: list[tuple[Turn, State | None]] = []
    for turn in dialogue.turns:
        if turn.speaker == "S":
            turns.append((reader.assistant(turn.text), None))
        else:
            turns.append((reader.user(turn.text, before), turn.wished(known)))
        before = turn.text
    return Talk(reader, turns)


def readers(
    folder: Path, services: Iterable[Service], network: Network, acts: ActModel
) -> Iterator[tuple[str, TurnReader]]:
    """Yield a reader of the turns about each service."""
    for service in services:
        with open_catalog(folder, service.service_name) as catalog:
            index = index_of(catalog)
            columns = tracked_columns(index, service.columns())
            yield service.service_name, TurnReader(index, columns, first_day(index), network, acts)


def fit_tracker(
    dialogues: Sequence[Dialogue], ready: Mapping[str, TurnReader], counted: Counted = uncounted
) -> Weights:
    """Fit a tracker on conversations with labels."""
    talks: list[Talk] = []
    for place, dialogue in enumerate(counted(dialogues, "reading conversations")):
        reader = ready[dialogue.services[0]]
        if place % UNSAID == 0:
            columns = {name: replace(c, role="unsaid") for name, c in reader.columns.items()}
            reader = replace(reader, columns=columns)
        talks.append(read_talk(dialogue, reader))
    choices = Choices()

    def fitted_on(told: str, follow: Weights | None) -> Weights:
        for talk in counted(talks, told):
            for exchange, gold in talk.exchanges(follow):
                choices.add(exchange, gold)
        return choices.fit()

    return fitted_on("states as decided", fitted_on("true states", None))


def train(
    folder: Path,
    output: Path,
    *,
    left_out: Iterable[str] = (),
    weights: tuple[Path, Path] | None = None,
    counted: Counted = uncounted,
) -> None:
    """Train on the conversations of a folder but those of the services left out, and write it.

    `weights` are those of the readers of wishes and of acts, by default the ones that ship.
    """
    services = read_services(folder)
    unseen = set(left_out)
    dialogues = [one for one in read_dialogues(folder) if one.services[0] not in unseen]
    told = {dialogue.services[0] for dialogue in dialogues}
    network = fitted() if weights is None else load(weights[0])
    acts = ActModel.fitted() if weights is None else ActModel.load(weights[1])
    ready = dict(readers(folder, (services[name] for name in sorted(told)), network, acts))
    np.random.default_rng(0).shuffle(dialogues)  # pyright: ignore[reportArgumentType]
    save_weights(output, fit_tracker(dialogues, ready, counted))


def save_weights(path: Path, weights: Weights) -> None:
    """Write weights as one compressed file, in 255 steps of the largest."""
    scale = np.float32(max(float(np.abs(weights).max()), 1e-6) / 127.0)
    with path.open("wb") as file:
        np.savez_compressed(file, weights=np.rint(weights / scale).astype(np.int8), scale=scale)
