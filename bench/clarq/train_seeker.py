"""Fit how likely an open point has an answer, from dialogues of the offline seeker.

    python -m concede.bench.clarq.train_seeker DIR [--types 1-18]

In every state of a dialogue each open point's question is put to a provider: the label is
whether that releases a fact. A logistic regression with a penalty, by Newton's method; there is
no chance in it, so it needs no seed. Writes `dialogs/information_seeking/likelihood.json`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...dialogs.information_seeking.dialogue import MAX_TURNS, is_goodbye
from ...dialogs.information_seeking.offline_seeker import OfflineSeeker
from ...dialogs.information_seeking.open_points import read_dialogue
from ...dialogs.information_seeking.points import MOST_ASKED
from ...dialogs.information_seeking.providers import provider_named
from ...dialogs.information_seeking.task import ClarificationTask, Provider, SpokenTurn
from .published_data import of_types, read_tasks

Example = tuple[tuple[str, ...], bool]
"""Names of the facts that hold, and whether the question was answered."""

THRESHOLD = 0.06
"""Of the seeker that collects: lower than in use, so that doubtful points are tried as well."""

PENALTY, STEPS, DIGITS = 2.0, 30, 3
TARGET = Path(__file__).parents[2] / "dialogs" / "information_seeking" / "likelihood.json"


def examples(tasks: Iterable[ClarificationTask], provider: Provider) -> Iterator[Example]:
    """Yield an example for every open point in every state of a dialogue on each task."""
    seeker = OfflineSeeker(threshold=THRESHOLD)
    for task in tasks:
        turns = [SpokenTurn("provider", provider.reply(task, ()).text)]
        while len(turns) < MAX_TURNS:
            if len(turns) > 2:
                yield from _tried(task, turns, provider)
            turns.append(SpokenTurn("seeker", seeker.say(task.for_seeker(), turns)))
            if is_goodbye(turns[-1].text):
                break
            turns.append(SpokenTurn("provider", provider.reply(task, turns).text))


def _tried(
    task: ClarificationTask, turns: Sequence[SpokenTurn], provider: Provider
) -> Iterator[Example]:
    ledger = read_dialogue(task.for_seeker(), turns)
    for held in ledger.points.values():
        if not held.closed and held.point.asked < MOST_ASKED:
            asked = [*turns, SpokenTurn("seeker", held.point.question)]
            facts = ("bias", *sorted(held.facts), *ledger.circumstances(held).facts())
            yield facts, bool(provider.reply(task, asked).released)


def fitted(found: Sequence[Example], penalty: float = PENALTY) -> dict[str, float]:
    """Return a weight for every fact, in logits. Cost: steps × examples × facts²."""
    names = sorted({name for facts, _ in found for name in facts})
    place = {name: at for at, name in enumerate(names)}
    held = np.zeros((len(found), len(names)), np.float64)
    for row, (facts, _) in enumerate(found):
        held[row, [place[name] for name in facts]] = 1.0
    labels = np.array([float(label) for _, label in found], np.float64)
    weights = np.zeros(len(names), np.float64)
    for _ in range(STEPS):
        weights -= _step(held, labels, weights, penalty)
    return {name: round(float(weights[place[name]]), DIGITS) for name in names}


def _step(
    held: NDArray[np.float64],
    labels: NDArray[np.float64],
    weights: NDArray[np.float64],
    penalty: float,
) -> NDArray[np.float64]:
    chances = 1.0 / (1.0 + np.exp(-(held @ weights)))
    slope = held.T @ (chances - labels) + penalty * weights
    bend = (held.T * (chances * (1.0 - chances))) @ held + penalty * np.eye(len(weights))
    return np.asarray(np.linalg.solve(bend, slope), np.float64)


def main() -> None:
    """Collect examples from dialogues with the offline provider, fit, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("--types", default="1-18")
    options = parser.parse_args()
    first, _, last = options.types.partition("-")
    kinds = range(int(first), int(last or first) + 1)
    tasks = list(of_types(read_tasks(options.data), kinds).values())
    found = list(examples(tasks, provider_named("offline", "single")))
    weights = json.dumps(fitted(found), indent=0, ensure_ascii=False, sort_keys=True)
    TARGET.write_text(weights + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
