"""The benchmarks whose roles can be put on a model, by document.

To add one, write a file with `benchmarks(data)` beside this one, and a line in `DOCUMENTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from . import apec, aware_us, benyfits, clarq, mapsat
from .benchmark import ModelBenchmark

Of = Callable[[Path], Iterator[ModelBenchmark]]

DOCUMENTS: dict[str, tuple[Of, tuple[str, ...]]] = {
    "aware_us": (aware_us.benchmarks, ("aware_us", "cooperunion_cars")),
    "mapsat": (mapsat.benchmarks, ()),
    "clarq": (clarq.benchmarks, ("clarq",)),
    "apec": (apec.benchmarks, ()),
    "benyfits": (benyfits.benchmarks, ("benyfits",)),
}
"""What makes the benchmarks of each document, and the folders of the data that they read."""

QUICK = 10
"""Episodes of each benchmark in a quick run."""


def model_benchmarks(
    data: Path, names: Iterable[str] = DOCUMENTS, *, quick: bool = False
) -> Iterator[ModelBenchmark]:
    """Yield the benchmarks of some documents whose data is there; `quick`: ten episodes of each."""
    for name in names:
        of, folders = DOCUMENTS[name]
        if not all((data / folder).is_dir() for folder in folders):
            continue
        for benchmark in of(data):
            yield _first(benchmark, QUICK) if quick else benchmark


def _first(benchmark: ModelBenchmark, count: int) -> ModelBenchmark:
    return replace(benchmark, episodes=dict(islice(benchmark.episodes.items(), count)))
