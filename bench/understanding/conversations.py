"""Reads the states of labelled or unlabelled conversations turn by turn, and scores them.

The reader is handed the texts alone. Where a file withholds its labels the predictions are
written all the same and the figures are null.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from ...catalogs.errors import UnreadableFile
from ...dialogs.conversation.acts import ActReading
from ...dialogs.conversation.tracker import Tracker
from ..progress import Counted, uncounted
from ..text_files import write_text
from .dialogues import Dialogue, Service, open_catalog, read_dialogues, read_services
from .state_scores import ALIKE, State, StateTally, column_scores
from .train_acts import SGD_ACTS

PHENOMENA = (
    "nothing new",
    "said by the person",
    "accepted or confirmed",
    "in other words",
    "yes or no",
    "several at once",
    "changed",
    "taken back",
)

PUBLISHED = {label: act for act, label in SGD_ACTS.items()} | dict.fromkeys(
    ("correct", "retract", "dont_care", "negate keep"), "INFORM"
)
"""The published acts that ours are, by name and topic; what asks is a `REQUEST`, but for help."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What was read of one turn of a person: `turn` is its position in the conversation."""

    dialogue: str
    turn: int
    state: Mapping[str, list[str]]
    acts: tuple[str, ...]

    def line(self) -> str:
        """Return the prediction as one line of JSON."""
        record = {"id": self.dialogue, "turn": self.turn, "state": self.state, "acts": self.acts}
        return json.dumps(record, ensure_ascii=False)


@dataclass
class ConversationReport:
    """Figures over all turns, by service, and of the changes of each phenomenon."""

    overall: StateTally = field(default_factory=StateTally)
    services: dict[str, StateTally] = field(default_factory=dict[str, StateTally])
    phenomena: dict[str, list[int]] = field(
        default_factory=lambda: {name: [0, 0] for name in PHENOMENA}
    )
    turns: int = 0
    seconds: float = 0.0
    predictions: list[Prediction] = field(default_factory=list[Prediction])

    def record(self) -> dict[str, float | int | None]:
        """Return the figures as a JSON object; null where labels are withheld."""
        return {
            "turns": self.turns,
            "joint_goal_accuracy": _rounded(self.overall.joint_goal_accuracy),
            "slot_precision": _rounded(self.overall.slot_precision),
            "slot_recall": _rounded(self.overall.slot_recall),
            "act_f1": _rounded(self.overall.act_f1),
            "ms_per_turn": _rounded(1e3 * self.seconds / self.turns) if self.turns else None,
        }

    def write_predictions(self, path: Path) -> None:
        """Write one line a turn of a person; raises `UnreadableFile` where that fails."""
        write_text(path, "".join(f"{one.line()}\n" for one in self.predictions))


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else round(figure, 3)


def read_conversations(
    folder: Path, *, limit: int | None = None, counted: Counted = uncounted
) -> ConversationReport:
    """Read the first `limit` conversations of a folder about one service each.

    Raises `UnreadableFile` for a missing file, a broken line, or an unknown service.
    """
    services = read_services(folder)
    dialogues = list(islice(read_dialogues(folder), limit))
    readers = _Readers(folder, services)
    report = ConversationReport()
    for dialogue in counted(dialogues, "reading conversations"):
        _read(dialogue, readers.of(dialogue.services[0]), report)
    return report


@dataclass(frozen=True, slots=True)
class _Readers:
    """One tracker a service, made when the first conversation about it comes."""

    folder: Path
    services: Mapping[str, Service]
    made: dict[str, Tracker] = field(default_factory=dict[str, Tracker])

    def of(self, name: str) -> Tracker:
        if name not in self.made:
            service = self.services.get(name)
            if service is None:
                path = self.folder / "schema.json"
                raise UnreadableFile(str(path), f"no service {name}", hint="it is in a dialogue")
            with open_catalog(self.folder, name) as catalog:
                self.made[name] = Tracker.of(catalog, service.columns())
        return self.made[name].again()


def _read(dialogue: Dialogue, tracker: Tracker, report: ConversationReport) -> None:
    service = report.services.setdefault(dialogue.services[0], StateTally())
    columns = tracker.reader.columns
    closed = frozenset(name for name, column in columns.items() if column.closed)
    known = frozenset(columns)
    before = _Before()
    for position, turn in enumerate(dialogue.turns):
        began = time.process_time()
        if turn.speaker == "S":
            tracker.assistant(turn.text)
        else:
            tracker.user(turn.text)
        report.seconds += time.process_time() - began
        if turn.speaker == "S":
            before.told = turn.text
            continue
        state = {column: [value] for column, value in tracker.state.items()}
        acts = published_acts(tracker.last_user.acts)
        report.turns += 1
        report.predictions.append(Prediction(dialogue.id, position, state, acts))
        labels = turn.labels
        if labels is None or labels.state is None:
            continue
        true = turn.wished(known)
        for tally in (report.overall, service):
            tally.add_state(state, true, closed)
            tally.add_acts(acts, labels.act_names())
        for name, right in _phenomena(turn.text, before, state, true, closed):
            report.phenomena[name][0] += right
            report.phenomena[name][1] += 1
        before.true, before.read = true, state


def published_acts(reading: ActReading) -> tuple[str, ...]:
    """Return what a turn does, in the names of the format."""
    labels = (f"{act} {act.topic}".strip() for act in reading.acts)
    named = {
        "REQUEST" if label.startswith("ask ") and label != "ask help" else PUBLISHED.get(label)
        for label in labels
    }
    return tuple(sorted(filter(None, named)))


@dataclass
class _Before:
    """What the assistant said, and the states before the turn."""

    told: str = ""
    true: State = field(default_factory=dict[str, list[str]])
    read: State = field(default_factory=dict[str, list[str]])


def _phenomena(
    text: str, before: _Before, read: State, true: State, closed: frozenset[str]
) -> Iterator[tuple[str, bool]]:
    """Yield what happens in a turn by its labels, and whether what happens was read rightly."""
    scores = column_scores(read, true, closed)
    new = {
        column: values
        for column, values in true.items()
        if not set(values) & set(before.true.get(column, ()))
    }
    gone = [column for column in before.true if column not in true]
    right = {column: scores[column] >= ALIKE for column in new}
    if not new and not gone:
        yield "nothing new", read == before.read
    if gone:
        yield "taken back", not any(column in read for column in gone)
    if len(new) > 1:
        yield "several at once", all(right.values())
    for column, values in new.items():
        yield _source(values, text, before.told), right[column]
        if column in before.true:
            yield "changed", right[column]


def _source(values: Any, text: str, told: str) -> str:
    if set(values) & {"True", "False"}:
        return "yes or no"
    if any(value.lower() in text.lower() for value in values):
        return "said by the person"
    if any(value.lower() in told.lower() for value in values):
        return "accepted or confirmed"
    return "in other words"
