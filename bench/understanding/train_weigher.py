"""Fit the learned weighter on its corpus and on what personas and shoppers say.

`python -m concede.bench.understanding.train_weigher PERSONAS [--catalogs DIR] [--shoppers FILE]
[--out FILE]` reads a file of personas, with their catalogs in `catalogs` beside it, and one of
shoppers, writes `dialogs/weighters/learned.npz` and prints what was measured: on held-out wording
of the corpus, and on personas and on shoppers by models that saw those of other catalogs only.
Takes some minutes on a core.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...dialogs.weighters.learned import FILE, Model
from ...dialogs.weighters.training.corpus import Example, examples
from ...dialogs.weighters.training.fit import SEED, TALKED, Rows, fit, rows, save, train
from .persona_wishes import WeighedTalk, WeighingScores, score_talks, weighed_talks
from .personas import Persona, read_personas
from .shoppers import Shopper, held_out_shoppers, read_shoppers, shopper_talks

FOLDS = 5
"""Parts of the catalogs, each judged by a model that saw the others."""

FOLD_CORPUS = 1_000
"""Examples of the corpus in each of those models."""


def example(talk: WeighedTalk) -> Example:
    """Return a conversation as an example to train on."""
    return Example(
        tuple(talk.transcript), talk.constraints, talk.importances, talk.catalog, "persona"
    )


def train_weigher(
    personas: Sequence[Persona],
    catalogs: Path,
    shoppers: Sequence[Shopper] = (),
    out: Path = FILE,
) -> dict[str, object]:
    """Fit the weighter, write it to `out`, and return what was measured."""
    talks, apart = list(weighed_talks(personas, catalogs)), list(shopper_talks(shoppers))
    model, figures = train(talks=map(example, [*talks, *apart]))
    save(model, out)
    unseen = {"personas": cross_validated(talks, apart), "shoppers": cross_validated(apart, talks)}
    held_out = list(shopper_talks(held_out_shoppers()))
    scores = score_talks(held_out, [model.judge(row.reading) for row in _rows(held_out)])
    unseen["held-out shoppers"] = _shares(scores)
    counts = {"personas": len(talks), "shoppers": len(apart)}
    return figures | counts | {"unseen catalogs": unseen}


def cross_validated(
    talks: Sequence[WeighedTalk], others: Sequence[WeighedTalk] = ()
) -> dict[str, object]:
    """Return the figures of models that saw no talk of the catalogs they are judged on.

    Every model sees `others`, beside the talks of other catalogs.
    """
    names = sorted({talk.catalog for talk in talks})
    corpus = rows(examples(FOLD_CORPUS, SEED, "all"))
    told = rows(map(example, others)) * TALKED
    weights: list[Sequence[float]] = []
    judged: list[WeighedTalk] = []
    for fold in range(FOLDS):
        held = {name for at, name in enumerate(names) if at % FOLDS == fold}
        seen = rows(example(talk) for talk in talks if talk.catalog not in held)
        model = Model(fit([*corpus, *told, *seen * TALKED]), 1.0, np.zeros(8, np.float32))
        chosen = [talk for talk in talks if talk.catalog in held]
        judged.extend(chosen)
        weights.extend(model.judge(row.reading) for row in _rows(chosen))
    scores = score_talks(judged, weights)
    return _shares(scores)


def _shares(scores: WeighingScores) -> dict[str, object]:
    return {"lowest": scores.lowest.share, "pairs": scores.pairs.share}


def _rows(talks: Sequence[WeighedTalk]) -> list[Rows]:
    return rows(map(example, talks))


def main() -> None:
    """Train, write, and print the figures."""
    parser = argparse.ArgumentParser(description="Train the learned weighter.")
    parser.add_argument("personas", type=Path)
    parser.add_argument("--catalogs", type=Path)
    parser.add_argument("--shoppers", type=Path)
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args()
    catalogs = given.catalogs or given.personas.parent / "catalogs"
    shoppers = given.shoppers or given.personas.with_name("shoppers.jsonl")
    figures = train_weigher(
        read_personas(given.personas), catalogs, read_shoppers(shoppers), given.out
    )
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
