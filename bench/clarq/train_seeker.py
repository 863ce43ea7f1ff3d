"""Fit how likely an open point has an answer, from dialogues of the offline seeker.

    python -m concede.bench.clarq.train_seeker DIR [--out FILE]

In every state of a dialogue each open point's question is put to a provider: the label is
whether that releases a fact. The provider of a type of task was trained on other types only.
Two rounds: the seeker of the first knows no likelihoods, that of the second has those of the
first. A logistic regression with a penalty, by Newton's method; there is no chance in it, so
the same data give the same bytes. Some minutes; needs scikit-learn (extra `train`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...dialogs.information_seeking.dialogue import MAX_TURNS, is_goodbye
from ...dialogs.information_seeking.matcher import Matcher
from ...dialogs.information_seeking.offline_provider import OfflineProvider
from ...dialogs.information_seeking.offline_seeker import OfflineSeeker
from ...dialogs.information_seeking.open_points import read_dialogue
from ...dialogs.information_seeking.points import MOST_ASKED
from ...dialogs.information_seeking.task import ClarificationTask, Provider, SpokenTurn
from .provider_folds import folds
from .published_data import of_types, read_tasks
from .train_provider import fitted as fitted_matcher
from .train_provider import training_data

Example = tuple[tuple[str, ...], bool]
"""Names of the facts that hold, and whether the question was answered."""

THRESHOLD = 0.06
"""Of the seeker that collects: lower than in use, so that doubtful points are tried as well."""

ROUNDS = 2
PENALTY, STEPS, DIGITS = 2.0, 30, 3
TARGET = Path(__file__).parents[2] / "dialogs" / "information_seeking" / "likelihood.json"


Fold = tuple[tuple[ClarificationTask, ...], Matcher]
"""Tasks of some types, and what a provider trained on the other types matches by."""

FOLDS = 5


def provider_folds(folder: str | Path, count: int = FOLDS) -> tuple[Fold, ...]:
    """Return the tasks of each fold of types with a matcher trained on all others."""
    tasks = read_tasks(folder)
    every = {task.type_no for task in tasks.values()}
    made: list[Fold] = []
    for held in folds(every, count):
        matcher = fitted_matcher(*training_data(folder, every - set(held)))
        made.append((tuple(of_types(tasks, held).values()), matcher))
    return tuple(made)


def examples_by_fold(parts: Sequence[Fold], rounds: int = ROUNDS) -> tuple[list[Example], ...]:
    """Return the examples of the last round, fold by fold."""
    weights: Mapping[str, float] = {}
    found: tuple[list[Example], ...] = ()
    for _ in range(rounds):
        found = tuple(
            list(examples(tasks, OfflineProvider("single", matcher), weights))
            for tasks, matcher in parts
        )
        weights = fitted([example for part in found for example in part])
    return found


def examples(
    tasks: Iterable[ClarificationTask], provider: Provider, weights: Mapping[str, float]
) -> Iterator[Example]:
    """Yield an example for every open point in every state of a dialogue on each task."""
    seeker = OfflineSeeker(threshold=THRESHOLD, weights=weights)
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


def written(weights: Mapping[str, float]) -> bytes:
    """Return weights as the file that ships."""
    return (json.dumps(weights, indent=0, ensure_ascii=False, sort_keys=True) + "\n").encode()


def main(arguments: Sequence[str] | None = None) -> None:
    """Collect examples, fit, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, default=TARGET)
    given = parser.parse_args(arguments)
    parts = examples_by_fold(provider_folds(given.data))
    given.out.write_bytes(written(fitted([example for part in parts for example in part])))


if __name__ == "__main__":
    main()
