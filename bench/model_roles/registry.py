"""The benchmarks whose roles can be put on a model, by document.

To add one, write a file with `benchmarks(data)` beside this one, and a line in `DOCUMENTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from . import apec, aware_us, benyfits, clarq, mapsat
from .benchmark import ModelBenchmark

Of = Callable[[Path], Iterator[ModelBenchmark]]

DOCUMENTS: dict[str, tuple[Of, tuple[str, ...]]] = {
    "aware-us": (aware_us.benchmarks, ("aware_us", "cooperunion_cars")),
    "mapsat": (mapsat.benchmarks, ()),
    "clarq": (clarq.benchmarks, ("clarq",)),
    "apec": (apec.benchmarks, ()),
    "benyfits": (benyfits.benchmarks, ("benyfits",)),
}
"""By how names begin: what makes a document's benchmarks, and the folders of data they read."""

NAMES = (
    *(f"aware-us-{setting}-{name}" for setting in aware_us.TABLES for name in aware_us.METHODS),
    "mapsat",
    *(f"clarq-{part}-{lang}" for lang in clarq.LANGUAGES for part in clarq.PARTS),
    "apec",
    *(f"benyfits-{method}" for method in benyfits.ROLES),
)
"""All of them, in their order."""

QUICK = 10
"""Episodes of each benchmark in a quick run."""


def model_benchmarks(
    data: Path, only: Sequence[str] = (), *, quick: bool = False
) -> Iterator[ModelBenchmark]:
    """Yield the benchmarks whose data is there; `quick`: ten episodes of each.

    `only`: names, or how they begin, up to a hyphen.
    """
    for document, (of, folders) in DOCUMENTS.items():
        near = not only or any(_begins(part, document) or _begins(document, part) for part in only)
        if not near or not all((data / folder).is_dir() for folder in folders):
            continue
        for benchmark in of(data):
            if not only or any(_begins(benchmark.name, part) for part in only):
                yield _first(benchmark, QUICK) if quick else benchmark


def _begins(name: str, part: str) -> bool:
    return name == part or name.startswith(f"{part}-")


def _first(benchmark: ModelBenchmark, count: int) -> ModelBenchmark:
    return replace(benchmark, episodes=dict(islice(benchmark.episodes.items(), count)))
