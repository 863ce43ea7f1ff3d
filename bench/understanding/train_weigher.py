"""Fit the learned weighter on its corpus and on what personas and shoppers say.

`python -m concede.bench.understanding.train_weigher PERSONAS [--catalogs DIR] [--shoppers FILE]
[--base DIR] [--out FILE] [--encoder FILE]` reads a file of personas, with their catalogs in
`catalogs` beside it, and one of shoppers, writes `dialogs/weighters/learned.npz` and
`dialogs/language/encoder.npz`, and prints what was measured: on held-out wording of the corpus, on
personas and shoppers by models that saw those of other catalogs only, and on held-out ones.
The encoder begins as all-MiniLM-L6-v2 (the extra `encoder`). Takes half an hour on a core.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...dialogs.language.encoder import FILE as ENCODER
from ...dialogs.weighters.learned import FILE, Model
from ...dialogs.weighters.training.corpus import Example, examples
from ...dialogs.weighters.training.fit import (
    COUNT,
    SEED,
    Rows,
    fit_leaving_out,
    rows,
    save,
    train,
)
from ..text_files import write_text
from .persona_wishes import WeighedTalk, WeighingScores, score_talks, weighed_talks
from .personas import Persona, held_out_personas, read_personas
from .request_records import HELD_OUT
from .shoppers import Shopper, held_out_shoppers, read_shoppers, shopper_talks

if TYPE_CHECKING:
    from ...dialogs.weighters.heard import Heard

FOLDS = 5
"""Parts of the catalogs, each judged by a model that saw the others."""

MADE, MADE_COUNTS = 400, 0.5
"""Texts of the corpus that the encoder learns beside conversations, and what a wish there counts.

None has wording that is held out."""

ORDERS = 3
"""Orders in which each held-out persona answers."""

ATTRIBUTION = {
    "base": (
        "all-MiniLM-L6-v2, sentence-transformers; Apache-2.0, "
        "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2. Its first two layers and "
        "its commonest word pieces, fine-tuned and rounded to bytes."
    ),
    "written": "Personas and shoppers of bench/understanding/written; Apache-2.0.",
}
"""What is said of each source beside the encoder's weights."""


def example(talk: WeighedTalk) -> Example:
    """Return a conversation as an example to train on."""
    return Example(
        tuple(talk.transcript), talk.constraints, talk.importances, talk.catalog, "persona"
    )


def train_weigher(
    personas: Sequence[Persona],
    catalogs: Path,
    shoppers: Sequence[Shopper] = (),
    base: Path | None = None,
    out: Path = FILE,
    encoder: Path = ENCODER,
) -> dict[str, object]:
    """Fit the weighter and its encoder, write them, and return what was measured.

    `base`: the folder of the encoder that fine-tuning begins with. Raises `QueryError` where
    there is none.
    """
    from .encoder_training import base_folder

    folder = base_folder(base)
    talks = [*weighed_talks(personas, catalogs), *shopper_talks(shoppers)]
    kinds = {"personas": len(personas), "shoppers": len(talks) - len(personas)}
    unseen = cross_validated(talks, len(personas), folder)
    _, heard = fitted(talks, folder, encoder)
    model, figures = train(talks=map(example, talks), heard=heard)
    save(model, out)
    _write_manifest(encoder, kinds)
    return figures | kinds | {"unseen catalogs": unseen, "held out": held_out(model)}


def fitted(talks: Sequence[WeighedTalk], base: Path, encoder: Path) -> tuple[Model, Heard]:
    """Return the regression of conversations, and what an encoder fine-tuned beside it hears.

    The encoder learns what the regression does not say where it saw no conversation of a catalog,
    and nothing of a text of the corpus.
    """
    from .encoder_training import from_base
    from .weigher_tuning import tune, written

    corpus, told = rows(examples(COUNT, SEED, "train")), rows(map(example, talks))
    kinds = [f"made {at}" for at in range(COUNT)] + [talk.catalog for talk in talks]
    weights, scores = fit_leaving_out(corpus, told, kinds)
    counts = [MADE_COUNTS] * MADE + [1.0] * len(told)
    network = tune(
        from_base(base), [*corpus[:MADE], *told], [*scores[:MADE], *scores[COUNT:]], counts
    )
    heard = written(network, encoder)
    return Model(weights, 1.0, np.zeros(8, np.float32)), heard


def cross_validated(
    talks: Sequence[WeighedTalk], personas: int, base: Path
) -> dict[str, dict[str, object]]:
    """Return the figures of models that saw no conversation of the catalogs they are judged on.

    The first `personas` of the conversations are with personas, the others with shoppers.
    """
    parts = [*_folds(talks[:personas]), *_folds(talks[personas:])]
    alone: dict[int, Sequence[float]] = {}
    both: dict[int, Sequence[float]] = {}
    for fold in range(FOLDS):
        seen = [talk for talk, part in zip(talks, parts, strict=True) if part != fold]
        with tempfile.TemporaryDirectory() as folder:
            model, heard = fitted(seen, base, Path(folder) / "encoder.npz")
        chosen = [at for at, part in enumerate(parts) if part == fold]
        for at, row in zip(chosen, rows(example(talks[at]) for at in chosen), strict=True):
            alone[at] = model.judge(row.reading)
            both[at] = replace(model, heard=heard).judge(row.reading)
    figures: dict[str, dict[str, object]] = {}
    for name, places in (
        ("personas", range(personas)),
        ("shoppers", range(personas, len(talks))),
    ):
        chosen = [talks[at] for at in places]
        for how, weights in (("", both), (", no encoder", alone)):
            scores = score_talks(chosen, [weights[at] for at in places])
            figures[name + how] = _shares(scores)
    return figures


def _folds(talks: Sequence[WeighedTalk]) -> list[int]:
    """Return the part of each conversation; those of one catalog are in one part."""
    names = sorted({talk.catalog for talk in talks})
    return [names.index(talk.catalog) % FOLDS for talk in talks]


def held_out(model: Model) -> dict[str, dict[str, object]]:
    """Return the figures of the held-out personas and shoppers."""
    talks = {
        "personas": list(weighed_talks(held_out_personas(), HELD_OUT / "catalogs", ORDERS)),
        "shoppers": list(shopper_talks(held_out_shoppers())),
    }
    return {
        name: _shares(score_talks(told, [model.judge(row.reading) for row in _rows(told)]))
        for name, told in talks.items()
    }


def _write_manifest(encoder: Path, counts: dict[str, int]) -> None:
    """Write what the encoder was made of beside it; no paths and no date."""
    record = {
        "command": "python -m concede.bench.understanding.train_weigher",
        "figures": counts,
        "sha256": sha256(encoder.read_bytes()).hexdigest(),
        "attribution": ATTRIBUTION,
    }
    write_text(encoder.with_suffix(".json"), json.dumps(record, indent=2) + "\n")


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
    parser.add_argument("--base", type=Path)
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--encoder", type=Path, default=ENCODER)
    given = parser.parse_args()
    catalogs = given.catalogs or given.personas.parent / "catalogs"
    shoppers = given.shoppers or given.personas.with_name("shoppers.jsonl")
    figures = train_weigher(
        read_personas(given.personas),
        catalogs,
        read_shoppers(shoppers),
        given.base,
        given.out,
        given.encoder,
    )
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
