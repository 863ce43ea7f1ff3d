"""Readers that have not seen a half of the written catalogs each, to judge what they read there.

On requests that a reader was fitted on it is too sure. Training both takes some twenty minutes of
one core and 4 GB; a reader that is there already is not trained again.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from zlib import crc32

from ...dialogs.extraction.network import Network, load
from ..understanding.labelled import LabelledSentence
from ..understanding.labelled_set import WRITTEN_PREFIX, LabelledSet, Sources, labelled_set
from ..understanding.train_reader import train

HALVES = 2


def half(catalog: str) -> int:
    """Return which reader has not seen a written catalog."""
    return crc32(catalog.encode()) % HALVES


def readers_apart(sources: Sources, out: Path) -> list[Network]:
    """Return the readers, `out/reader_0.npz` and so on; trained where they are not there.

    Raises `UnreadableFile` for sources that are not there.
    """
    paths = [out / f"reader_{at}.npz" for at in range(HALVES)]
    out.mkdir(parents=True, exist_ok=True)
    if not all(path.is_file() for path in paths):
        with tempfile.TemporaryDirectory() as folder:
            labelled = labelled_set(sources, Path(folder))
            for at, path in enumerate(paths):
                if not path.is_file():
                    kept = apart(labelled, at)
                    train(kept.sentences, kept.catalogs, path, tell=False)
    return [load(path) for path in paths]


def apart(labelled: LabelledSet, at: int) -> LabelledSet:
    """Return a set without the sentences about one half of the written catalogs."""

    def is_kept(sentence: LabelledSentence) -> bool:
        name = sentence.catalog
        written = name.startswith(WRITTEN_PREFIX)
        return not (written and half(name.removeprefix(WRITTEN_PREFIX)) == at)

    return labelled.only(is_kept)
