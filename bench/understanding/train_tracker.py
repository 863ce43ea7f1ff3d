"""Trains the state tracker on conversations with labels: acts, what is asked about, what is chosen.

Acts are fitted first, on halves of the conversations, so that the choices are fitted on acts read
as surely as those of new conversations. Choices are fitted twice: with the true state before each
turn, then also with the states that the first weights lead to.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from ...dialogs.conversation.hashed_weights import HashedWeights, save_weights, slots
from ...dialogs.conversation.tracked_columns import TrackedColumn, tracked_columns
from ...dialogs.conversation.tracker import Tracker, decided
from ...dialogs.conversation.tracker_options import Exchange, column_options
from ...dialogs.conversation.turn_reading import act_features, asked_features, masked_words
from ...dialogs.conversation.value_spans import ValueSpans
from ..progress import Counted, uncounted
from . import fitting
from .dialogues import Dialogue, Service, open_catalog, read_dialogues, read_services
from .state_scores import matched

USER_ACTS = (
    "INFORM INFORM_INTENT REQUEST AFFIRM NEGATE SELECT REQUEST_ALTS NEGATE_INTENT AFFIRM_INTENT "
    "THANK_YOU GOODBYE"
).split()
ASSISTANT_ACTS = (
    "INFORM REQUEST CONFIRM OFFER NOTIFY_SUCCESS NOTIFY_FAILURE INFORM_COUNT OFFER_INTENT REQ_MORE "
    "GOODBYE"
).split()
fit_labels = cast("Any", fitting.fit_labels)  # pyright: ignore[reportUnknownMemberType]
fit_choices = cast("Any", fitting.fit_choices)  # pyright: ignore[reportUnknownMemberType]
ACT_SIZE, ASKED_SIZE, STATE_SIZE = 1 << 13, 1 << 15, 1 << 17
UNSAID = 7
"""Of so many conversations one is read without knowing what columns are used for."""

RIGHT = 0.95
"""How alike an option and a true value of free text must be for the option to be right."""


@dataclass
class Examples:
    """Hashed features of examples or options, flat, and where each begins."""

    size: int
    rows: array[int] = field(default_factory=lambda: array("i"))
    begins: array[int] = field(default_factory=lambda: array("q", [0]))

    def add(self, features: Sequence[str]) -> None:
        """Append an example."""
        self.rows.extend(slots(features, self.size))
        self.begins.append(len(self.rows))

    def arrays(self) -> tuple[Any, Any]:
        """Return positions in the table, int32, and where examples begin, int64; no copies."""
        return np.frombuffer(self.rows, np.int32), np.frombuffer(self.begins, np.int64)


@dataclass(frozen=True)
class Prepared:
    """The columns of a service and the index of their values."""

    columns: tuple[TrackedColumn, ...]
    spans: ValueSpans


def prepared(folder: Path, services: Iterable[Service]) -> dict[str, Prepared]:
    """Read the catalogs of services."""
    found: dict[str, Prepared] = {}
    for service in services:
        with open_catalog(folder, service.service_name) as catalog:
            columns = tracked_columns(catalog, service.dictionary())
        found[service.service_name] = Prepared(columns, ValueSpans.of(columns))
    return found


def train_acts(
    dialogues: Sequence[Dialogue], ready: Mapping[str, Prepared], passes: int = 6
) -> dict[str, HashedWeights]:
    """Fit what the turns of both sides do, and which columns the assistant asks about."""
    done_by: dict[str, list[list[bool]]] = {"U": [], "S": []}
    sides = {"U": (Examples(ACT_SIZE), USER_ACTS), "S": (Examples(ACT_SIZE), ASSISTANT_ACTS)}
    asked, wanted = Examples(ASKED_SIZE), list[list[bool]]()
    for dialogue in dialogues:
        own = ready[dialogue.services[0]]
        before: dict[str, float] = {}
        for turn in dialogue.turns:
            frame = turn.labels
            if frame is None:
                continue
            words, _ = masked_words(turn.text, own.spans.find(turn.text))
            examples, names = sides[turn.speaker]
            examples.add(act_features(turn.text, words, before))
            done = frame.act_names()
            done_by[turn.speaker].append([name in done for name in names])
            before = {name: float(name in done) for name in names}
            if turn.speaker == "S":
                about = {act[1] for act in frame.acts if act[0] == "REQUEST"}
                for column, features in zip(
                    own.columns, asked_features(words, own.columns), strict=True
                ):
                    if column.wished:
                        asked.add(features)
                        wanted.append([column.name in about])
    return {
        "said": _labels(sides["U"][0], done_by["U"], USER_ACTS, passes),
        "told": _labels(sides["S"][0], done_by["S"], ASSISTANT_ACTS, passes),
        "asked": _labels(asked, wanted, ["asked"], passes),
    }


def _labels(
    examples: Examples,
    labels: Sequence[Sequence[bool]],
    names: Sequence[str],
    passes: int,
    decay: float = 3e-4,
) -> HashedWeights:
    rows, begins = examples.arrays()
    gold = np.array(labels, np.float64)
    weights = np.zeros((examples.size, len(names)))
    squares = np.full_like(weights, 1.0)
    generator = np.random.default_rng(0)
    for _ in range(passes):
        order = generator.permutation(len(gold))
        fit_labels(rows, begins, gold, weights, squares, order, (0.3, decay))
    return HashedWeights(weights.astype(np.float32), tuple(names))


@dataclass
class Choices:
    """Options in groups, one group a column and turn, and which options are right."""

    options: Examples = field(default_factory=lambda: Examples(STATE_SIZE))
    groups: list[int] = field(default_factory=lambda: [0])
    right: list[bool] = field(default_factory=list[bool])

    def add(self, exchange: Exchange, gold: Mapping[str, Sequence[str]]) -> None:
        """Add the groups of an exchange in which some option is right."""
        for number, options in column_options(exchange):
            column = exchange.columns[number]
            true = gold.get(column.name)
            right = [is_right(column, option.value, true) for option in options]
            if not any(right) or len(options) < 2:
                continue
            for option in options:
                self.options.add(option.features)
            self.right.extend(right)
            self.groups.append(len(self.right))

    def fit(self, passes: int = 4, pace: tuple[float, float] = (0.15, 1e-3)) -> HashedWeights:
        """Return the weights that choose right most often."""
        rows, begins = self.options.arrays()
        groups, right = np.array(self.groups), np.array(self.right)
        weights, squares = np.zeros(STATE_SIZE), np.ones(STATE_SIZE)
        generator = np.random.default_rng(0)
        for _ in range(passes):
            order = generator.permutation(len(groups) - 1)
            fit_choices(rows, begins, groups, right, weights, squares, order, pace)
        return HashedWeights(weights.astype(np.float32)[:, None], ("score",))


def is_right(column: TrackedColumn, value: str | None, true: Sequence[str] | None) -> bool:
    """Return whether a value (None: nothing) is what a column should hold."""
    if true is None or value is None:
        return true is None and value is None
    return matched(value, true, fuzzy=not column.closed) >= RIGHT


def exchanges(
    dialogue: Dialogue,
    own: Prepared,
    weights: Mapping[str, HashedWeights],
    follow: HashedWeights | None = None,
) -> Iterator[tuple[Exchange, dict[str, list[str]]]]:
    """Yield every exchange with its true state; after true states, or those `follow` decides."""
    tracker = Tracker(own.columns, own.spans, weights)
    known = frozenset(column.name for column in own.columns)
    for turn in dialogue.turns:
        if turn.speaker == "S":
            tracker.assistant(turn.text)
            continue
        exchange = tracker.heard(turn.text)
        gold = turn.wished(known)
        yield exchange, gold
        if follow is not None:
            tracker.held = decided(exchange, follow)
        else:
            tracker.held = {
                number: _carried(tracker.held.get(number), gold[column.name])
                for number, column in enumerate(own.columns)
                if column.name in gold
            }


def _carried(held: str | None, true: Sequence[str]) -> str:
    return held if held is not None and held in true else true[0]


@dataclass(frozen=True)
class Halves:
    """Conversations in two halves, and the acts fitted on each."""

    dialogues: Sequence[Dialogue]
    ready: Mapping[str, Prepared]
    acts: Sequence[Mapping[str, HashedWeights]]

    def exchanges(
        self, follow: HashedWeights | None, counted: Counted
    ) -> Iterator[tuple[Exchange, dict[str, list[str]]]]:
        """Yield the exchanges of each half, its acts read by what was fitted on the other."""
        for place, dialogue in enumerate(counted(self.dialogues, "reading conversations")):
            own = self.ready[dialogue.services[0]]
            if place % UNSAID == 0:
                own = Prepared(tuple(replace(c, role="unsaid") for c in own.columns), own.spans)
            yield from exchanges(dialogue, own, self.acts[1 - place % 2], follow)


def fit_tracker(
    dialogues: Sequence[Dialogue], ready: Mapping[str, Prepared], counted: Counted = uncounted
) -> dict[str, HashedWeights]:
    """Fit all parts of a tracker on conversations with labels."""
    acts = [train_acts(dialogues[part::2], ready) for part in (0, 1)]
    halves = Halves(dialogues, ready, acts)
    choices = Choices()
    for exchange, gold in halves.exchanges(None, counted):
        choices.add(exchange, gold)
    first = choices.fit()
    for exchange, gold in halves.exchanges(first, counted):
        choices.add(exchange, gold)
    return train_acts(dialogues, ready) | {"state": choices.fit()}


def train(
    folder: Path, output: Path, *, left_out: Iterable[str] = (), counted: Counted = uncounted
) -> None:
    """Train on the conversations of a folder but those of the services left out, and write it."""
    services = read_services(folder)
    unseen = set(left_out)
    dialogues = [one for one in read_dialogues(folder) if one.services[0] not in unseen]
    ready = prepared(folder, (services[name] for name in {d.services[0] for d in dialogues}))
    np.random.default_rng(0).shuffle(dialogues)  # pyright: ignore[reportArgumentType]
    save_weights(output, fit_tracker(dialogues, ready, counted))
