"""Train what tells which node an utterance asks for; write `provider.npz`.

    python -m concede.bench.clarq.train_provider DATA [--out FILE]

The recorded provider asks about the nodes in order and stops at the first yes: nodes before
the chosen one are seen refused, those after it are not seen. So each example gives one row a
node up to the chosen one (single), or one a node (multi, written), and both models fit those
rows; every task is seen with and without purposes. Needs scikit-learn (extra `train`). The
same data and versions give the same bytes. About a minute.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from importlib import import_module
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialogs.information_seeking.features import node_features, turn_features
from ...dialogs.information_seeking.matcher import (
    FILE,
    KINDS,
    Linear,
    Matcher,
    Trees,
    saved,
)
from ...dialogs.information_seeking.task import ClarificationTask
from ...dialogs.information_seeking.task_view import Rarity, TaskView, task_view
from ...dialogs.information_seeking.utterances import terms
from .provider_examples import (
    WRITTEN,
    Example,
    recorded_examples,
    without_purpose,
    written_examples,
)
from .published_data import Key, RecordedDialogue, Tasks, read_dialogues, read_tasks

SEED = 20
WRITTEN_WEIGHT = 2.0
BLANK_WEIGHT = 0.5
SEEN_IN_TYPES = 10
"""Types of task whose texts hold a term, from which on its rarity is kept.

A term of a few types, `diamond`, weighs as much as those of types that nobody has seen; so the
models meet in training the weights that they meet later.
"""

Rows = NDArray[np.float64]


def term_rarity(tasks: Tasks, dialogues: Iterable[RecordedDialogue]) -> Rarity:
    """Return how telling each term of many types is: 0 in every text, 1 in three."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    types: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    texts: Counter[str] = Counter()
    for task, text in _texts(tasks, dialogues):
        texts[task.lang] += 1
        for term in terms(text, task.lang):
            counts[task.lang][term] += 1
            types[task.lang, term].add(task.type_no)
    found: dict[str, float] = {}
    for lang in sorted(counts):
        for term, count in sorted(counts[lang].items()):
            if len(types[lang, term]) >= SEEN_IN_TYPES:
                found[term] = round(log(texts[lang] / count) / log(texts[lang] / 3), 3)
    return found


def _texts(
    tasks: Tasks, dialogues: Iterable[RecordedDialogue]
) -> Iterator[tuple[ClarificationTask, str]]:
    for task in tasks.values():
        yield from ((task, node.purpose) for node in task.responses if node.purpose)
    for dialogue in dialogues:
        yield from ((tasks[dialogue.key], turn.text) for turn in dialogue.turns[1::2])


def rows_of(
    views: dict[Key, TaskView], examples: Sequence[Example]
) -> tuple[Rows, NDArray[np.bool_], Rows]:
    """Return features, whether the node was told, and weights, one row a node that was tried."""
    features: list[Rows] = []
    told: list[bool] = []
    weights: list[float] = []
    for example in examples:
        if not example.moment.candidates:
            continue
        rows = node_features(views[example.key], example.said, example.moment)
        for row, node in zip(rows, example.moment.candidates, strict=True):
            features.append(row)
            told.append(node in example.chosen)
            weights.append(WRITTEN_WEIGHT if example.source == "written" else 1.0)
            if example.source == "single" and told[-1]:
                break
    return np.array(features), np.array(told), np.array(weights)


def fitted(
    tasks: Tasks, dialogues: Sequence[RecordedDialogue], examples: Sequence[Example]
) -> Matcher:
    """Return a matcher trained on examples of these tasks."""
    rarity = term_rarity(tasks, dialogues)
    views = {key: task_view(task, rarity) for key, task in tasks.items()}
    bare = {key: task_view(task, rarity) for key, task in without_purpose(tasks).items()}
    rows, told, weights = rows_of(views, examples)
    blank, _, _ = rows_of(bare, examples)
    rows, told = np.vstack([rows, blank]), np.concatenate([told, told])
    weights = np.concatenate([weights, weights * BLANK_WEIGHT])
    return Matcher(
        _linear(rows, told, weights, 0.05),
        _trees(rows, told, weights),
        _kinds(views, bare, examples),
        rarity,
    )


def _linear(rows: Rows, labels: NDArray[Any], weights: Rows, strength: float) -> Linear:
    linear: Any = import_module("sklearn.linear_model")
    mean: Rows = rows.mean(axis=0)
    scale: Rows = rows.std(axis=0)
    scale[scale < 1e-9] = 1.0
    model = linear.LogisticRegression(C=strength, max_iter=2_000)
    model.fit((rows - mean) / scale, labels, weights)
    coefficients: Rows = np.asarray(model.coef_).T
    bias: Rows = np.asarray(model.intercept_)
    if coefficients.shape[1] == 1:
        coefficients, bias = coefficients[:, 0], bias[0]
    parts = (mean, scale, coefficients, bias)
    return Linear(*(np.asarray(part, dtype=np.float32) for part in parts))


def _kinds(
    views: dict[Key, TaskView], bare: dict[Key, TaskView], examples: Sequence[Example]
) -> Linear:
    labelled = [example for example in examples if example.kind]
    both = [(each, views) for each in labelled] + [(each, bare) for each in labelled]
    rows = np.array(
        [turn_features(known[each.key], each.said, each.moment) for each, known in both]
    )
    kinds = np.array([3 if each.kind == 2 else each.kind for each, _ in both])
    missing = set(KINDS) - set(kinds.tolist())
    if missing:
        raise ValueError(f"no written utterance of type {min(missing)}")
    return _linear(rows, kinds, np.ones(len(kinds)), 0.3)


def _trees(rows: Rows, told: NDArray[np.bool_], weights: Rows) -> Trees:
    ensemble: Any = import_module("sklearn.ensemble")
    pools: Any = import_module("threadpoolctl")
    model = ensemble.HistGradientBoostingClassifier(
        max_iter=150,
        learning_rate=0.06,
        max_leaf_nodes=12,
        min_samples_leaf=20,
        l2_regularization=3.0,
        early_stopping=False,
        max_features=0.3,
        random_state=SEED,
    )
    with pools.threadpool_limits(limits=1):
        model.fit(rows, told, weights)
    trees = [predictors[0].nodes for predictors in model._predictors]
    base = float(np.ravel(model._baseline_prediction)[0])
    return side_by_side(trees, base)


def side_by_side(trees: Sequence[Any], base: float) -> Trees:
    """Return scikit-learn's trees as arrays whose leaves are their own children."""
    shape = (len(trees), max(len(tree) for tree in trees))
    own = np.broadcast_to(np.arange(shape[1], dtype=np.int16), shape)
    feature = np.zeros(shape, dtype=np.int16)
    threshold = np.zeros(shape)
    value = np.zeros(shape, dtype=np.float32)
    left, right = own.copy(), own.copy()
    depth = 0
    for at, tree in enumerate(trees):
        inner = np.flatnonzero(tree["is_leaf"] == 0)
        feature[at, inner] = tree["feature_idx"][inner]
        threshold[at, inner] = tree["num_threshold"][inner]
        left[at, inner] = tree["left"][inner]
        right[at, inner] = tree["right"][inner]
        value[at, : len(tree)] = tree["value"]
        depth = max(depth, int(tree["depth"].max()))
    return Trees(feature, threshold, left, right, value, base, depth)


def training_data(
    folder: str | Path, types: Collection[int] = (), written: Path = WRITTEN
) -> tuple[Tasks, list[RecordedDialogue], list[Example]]:
    """Return tasks, dialogues and examples of some types of task, of all where none is named."""
    every = read_tasks(folder)
    tasks = {key: task for key, task in every.items() if not types or task.type_no in types}
    dialogues = [each for each in read_dialogues(folder, every) if each.key in tasks]
    labelled = [each for each in written_examples(every, written) if each.key in tasks]
    return tasks, dialogues, [*recorded_examples(tasks, dialogues), *labelled]


def main(arguments: Sequence[str] | None = None) -> None:
    """Train on all of the data, and write the file that ships."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args(arguments)
    content = saved(fitted(*training_data(given.data)))
    given.out.write_bytes(content)
    print(f"{given.out}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
