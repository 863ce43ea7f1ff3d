"""How well it is read what the sentences of turns do, on turns that were labelled by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ...dialogs.conversation.acts import NOT_UNDERSTOOD, read_acts
from .turn_records import ACT_NAMES, MarkedTurn


@dataclass
class ActTally:
    """How often an act was read, was there, and both; shares are percentages, null of none."""

    read: int = 0
    there: int = 0
    right: int = 0

    def add(self, read: bool, there: bool) -> None:
        """Count one case."""
        self.read += read
        self.there += there
        self.right += read and there

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {
            "count": self.there,
            "precision": _percent(self.right, self.read),
            "recall": _percent(self.right, self.there),
            "f1": _percent(2 * self.right, self.read + self.there),
        }


@dataclass
class TurnScores:
    """The figures of some turns, by act; `exactly` counts sentences with all their acts right."""

    turns: int = 0
    sentences: int = 0
    exactly: int = 0
    overall: ActTally = field(default_factory=ActTally)
    acts: dict[str, ActTally] = field(
        default_factory=lambda: {name: ActTally() for name in ACT_NAMES}
    )

    def record(self) -> dict[str, Any]:
        """Return them as a JSON object."""
        return {
            "turns": self.turns,
            "sentences": self.sentences,
            "exactly": _percent(self.exactly, self.sentences),
            "acts": self.overall.record(),
            "by_act": {name: tally.record() for name, tally in self.acts.items() if tally.there},
        }


def score_turns(turns: Iterable[MarkedTurn]) -> TurnScores:
    """Read what each sentence of marked turns does, what it names masked, and count."""
    scores = TurnScores()
    for turn in turns:
        scores.turns += 1
        spans = [mark.span for mark in turn.marks]
        for (start, end), gold in turn.sentences:
            inside = [(a - start, b - start) for a, b in spans if start <= a and b <= end]
            reading = read_acts(turn.text[start:end], turn.before, values=inside)
            named = (act for act in reading.acts if act != NOT_UNDERSTOOD)
            read = frozenset(f"{act} {act.topic}".strip() for act in named)
            scores.sentences += 1
            scores.exactly += read == gold
            for name, tally in scores.acts.items():
                for counted in (tally, scores.overall):
                    counted.add(name in read, name in gold)
    return scores


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None
