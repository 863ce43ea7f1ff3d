"""How the reader's figures grow with its sentences, what each part is worth, and its calibration.

Measured on requests that nothing learns from (`fresh/`), and on sentences of domains, phrases and
services that no training sentence has. Sources are left out before training; heads and kinds of
features are silenced after it, and so are the parts beside the network, in what ships. A training
of 30,000 sentences takes some minutes, and there are up to eleven.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from math import inf
from pathlib import Path
from typing import Any

from ...catalogs.versions.reader import CatalogReader
from ...dialogs.extraction import wished
from ...dialogs.extraction.extracted import Extraction, Said
from ...dialogs.extraction.network import HEADS, Network, fitted
from ...dialogs.extraction.offline import OfflineExtractor
from ...dialogs.extraction.wished import WishedModel
from ..progress import Counted, uncounted
from .calibration import Calibration
from .labelled import LabelledSentence
from .labelled_requests import as_requests
from .labelled_set import SHOPPER_PREFIX, LabelledSet, Sources, labelled_set
from .request_records import RequestSet, fresh
from .requests import Reader, RequestScores, score_requests
from .train_reader import train

SIZES = (1_000, 3_000, 10_000, 30_000)
"""Sentences of the points of the curve; the last point has all there are."""

MOST_TESTED = 600
"""Sentences of each source that are measured on."""

RESAMPLES = 10
"""Intervals are not reported here."""


@dataclass(frozen=True, slots=True)
class TestFigures:
    """What a reader got right of one set of sentences; shares of 1."""

    requests: int
    constraints_right: float | None
    fully_right: float | None
    precision: float | None
    recall: float | None
    f1: float | None


@dataclass(frozen=True, slots=True)
class Point:
    """A reader: what it was trained on or lacks, of how many sentences, and its figures by set.

    Of what ships nobody counts the sentences: None.
    """

    name: str
    sentences: int | None
    figures: Mapping[str, TestFigures]


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything measured: by training size, without each part, by confidence, by phenomenon.

    `shipped`: the weights that ship, whole and without each part, on `fresh/` alone.
    """

    curve: Sequence[Point]
    without: Sequence[Point]
    shipped: Sequence[Point]
    calibration: Calibration
    phenomena: Mapping[str, Mapping[str, float | int | None]]

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return asdict(self)


@dataclass(frozen=True)
class Tests:
    """The sets measured on, by name."""

    sets: Mapping[str, RequestSet]

    def point(self, name: str, sentences: int, network: Network) -> Point:
        """Return the figures of a network."""
        reader = reader_of(network)
        figures = {of: _figures(records, reader) for of, records in self.sets.items()}
        return Point(name, sentences, figures)

    def shipped(self) -> Iterator[Point]:
        """Yield the figures of the weights that ship, then without each part of theirs."""
        takes_all = replace(wished.fitted(), threshold=-inf)
        readers = {
            "what ships": reader_of(),
            "its encoder of phrasing silenced": reader_of(replace(fitted(), phrasing=None)),
            "its decision about wishes silenced": reader_of(wish_model=takes_all),
        }
        for name, reader in readers.items():
            yield Point(name, None, {"fresh": _figures(self.sets["fresh"], reader)})


def reader_of(network: Network | None = None, wish_model: WishedModel | None = None) -> Reader:
    """Return a reader that decides with these weights."""
    extractor = OfflineExtractor(network, wish_model)

    def read(said: Said, catalog: CatalogReader, *, today: date | None = None) -> Extraction:
        return extractor.extract(said, catalog, today=today)

    return read


def _figures(records: RequestSet, reader: Reader) -> TestFigures:
    overall = score_requests(records, reader, resamples=RESAMPLES).overall
    return TestFigures(
        overall.requests,
        overall.constraints_right.share,
        overall.fully_right.share,
        overall.precision,
        overall.recall,
        overall.f1,
    )


def measure(
    sources: Sources,
    counted: Counted = uncounted,
    sizes: Sequence[int] = SIZES,
    most: int = MOST_TESTED,
) -> Measured:
    """Train many readers and return all figures, each on `most` sentences of a source at most.

    Raises `UnreadableFile` and `UnreadableCatalog` for data that is not there.
    """
    with tempfile.TemporaryDirectory() as folder:
        everything = labelled_set(sources, Path(folder), counted)
        learned = everything.only(_is_learned)
        tests = Tests(_test_sets(everything, most))
        trained = Trainings(learned, Path(folder) / "trial.npz")
        full = trained.network(learned.sentences)
        curve = [
            tests.point("made and converted", size, trained.network(learned.sentences[:size]))
            for size in counted([size for size in sizes if size < len(learned.sentences)], "curve")
        ]
        curve.append(tests.point("made and converted", len(learned.sentences), full))
        without = [curve[-1], *_without_sources(trained, tests, counted)]
        without += [
            tests.point(name, len(learned.sentences), network)
            for name, network in counted(list(_silenced(full)), "parts")
        ]
        shipped = list(tests.shipped())
        scores = score_requests(tests.sets["made"], reader_of(full), resamples=RESAMPLES)
        return Measured(curve, without, shipped, scores.calibration, _by_phenomenon(scores))


def _is_learned(sentence: LabelledSentence) -> bool:
    """Return whether readers here may learn from a sentence: nothing that they are judged by."""
    return not sentence.apart


@dataclass(frozen=True)
class Trainings:
    """Trains networks on parts of one set."""

    labelled: LabelledSet
    path: Path

    def network(self, sentences: Sequence[LabelledSentence]) -> Network:
        """Return the network fitted to some of the set's sentences."""
        return train(sentences, self.labelled.catalogs, self.path, tell=False)


def _test_sets(everything: LabelledSet, most: int) -> dict[str, RequestSet]:
    """Return what is measured on: sentences apart of each source, and the fresh requests."""
    unlearned = fresh()
    sets = {"fresh": RequestSet(unlearned.requests[:most], unlearned.catalogs)}
    for source in ("made", "sgd"):
        chosen = [s for s in everything.sentences if s.apart and s.source == source]
        if chosen:
            sets[source] = as_requests(chosen[:most], everything.folder)
    return sets


LEFT_OUT: Mapping[str, Callable[[LabelledSentence], bool]] = {
    "without SGD": lambda sentence: sentence.source != "sgd",
    "without ClarQ": lambda sentence: sentence.source != "clarq",
    "without what people wrote": lambda sentence: sentence.source != "known",
    "without shoppers": lambda sentence: not sentence.catalog.startswith(SHOPPER_PREFIX),
    "without decoys and questions": lambda sentence: (
        not ({"decoys", "questions", "nothing"} & set(sentence.phenomena))
    ),
    "without noise": lambda sentence: not {"typos", "voice"} & set(sentence.phenomena),
}
"""Sentences that a training does without."""


def _without_sources(trained: Trainings, tests: Tests, counted: Counted) -> Iterator[Point]:
    for name, keep in counted(list(LEFT_OUT.items()), "parts"):
        kept = [sentence for sentence in trained.labelled.sentences if keep(sentence)]
        # Of hardly any sentences some decisions would have no example.
        if len(trained.labelled.sentences) // 10 < len(kept) < len(trained.labelled.sentences):
            yield tests.point(name, len(kept), trained.network(kept))


def _silenced(full: Network) -> Iterator[tuple[str, Network]]:
    """Yield networks that lack neighbouring words, or a head's features, after training."""
    weights = dict(full.weights)
    yield (
        "neighbouring words silenced",
        replace(
            full, weights={n: w * 0 if n.endswith(".words") else w for n, w in weights.items()}
        ),
    )
    yield (
        "other features silenced",
        replace(
            full, weights={n: w * 0 if n.endswith(".dense") else w for n, w in weights.items()}
        ),
    )
    for head in HEADS:
        if head != "option":
            quiet = {n: w * 0 if n == f"{head}.out" else w for n, w in weights.items()}
            yield f"head {head} silenced", replace(full, weights=quiet)


def _by_phenomenon(scores: RequestScores) -> dict[str, dict[str, float | int | None]]:
    """Return for each phenomenon how many requests have it, and how many are right."""
    return {
        name: {
            "requests": figures.requests,
            "constraints_right": figures.constraints_right.share,
            "fully_right": figures.fully_right.share,
        }
        for name, figures in scores.phenomena.items()
    }
