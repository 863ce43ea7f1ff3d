"""The files of a folder that are reported on: runs with transcripts, results with figures alone."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, cast

from ...catalogs.errors import QueryError, UnreadableFile, excerpt
from ...dialogs.transcripts.episode import Episode
from ..aware_us.outcome import Outcome
from ..aware_us.scoring import BENCHMARK, labelled_outcomes, score_rows
from ..json_lines import read_records
from ..runs.result_file import ABOUT, Figures, figures_of, read_result
from ..runs.run_file import RUN, read_run
from ..text_files import naming

RUN_NAMES = (".jsonl", ".jsonl.gz")
RESULT_NAME = ".json"
MAX_FILES = 1_000


@dataclass(frozen=True)
class RecordedEpisode:
    """One episode of a run: what was written of it, and how it ended."""

    source: str
    episode: Episode
    outcome: Outcome


@dataclass(frozen=True)
class Source:
    """One file: its figures by row, and for a run its episodes.

    `cut_off` counts the episodes that never ended.
    """

    name: str
    about: Mapping[str, str]
    catalog_rows: int | None
    figures: Sequence[Figures]
    episodes: Sequence[RecordedEpisode] = ()
    cut_off: int = 0


@dataclass(frozen=True)
class Sources:
    """All there is to report on, by file name; `left_out` says what was not read, and why."""

    files: Sequence[Source]
    left_out: Sequence[str] = field(default=())

    @property
    def episodes(self) -> list[RecordedEpisode]:
        """The episodes of all runs."""
        return [episode for source in self.files for episode in source.episodes]


def read_sources(folder: str | Path, *, seed: int = 0) -> Sources:
    """Return the runs and results of a folder; `seed` draws the samples of the intervals.

    Files of another kind are left out and named. Raises `UnreadableFile` that names file and
    line for a damaged one, `QueryError` for a folder with nothing to report.
    """
    sources: list[Source] = []
    left_out: list[str] = []
    for path in _files(Path(folder)):
        source = _run(path, seed) if path.name.endswith(RUN_NAMES) else _result(path)
        if isinstance(source, Source):
            sources.append(_apart(source, path, sources))
        else:
            left_out.append(f"{path.name}: {source}")
    if not sources:
        reason = f"; {left_out[0]}" if left_out else ""
        hint = "write some there with bench run --out, or bench score --format json"
        raise QueryError(f"no runs in {excerpt(str(folder))}{reason}", hint=hint)
    return Sources(sources, left_out)


def _apart(source: Source, path: Path, others: Sequence[Source]) -> Source:
    """Return a source under a name that no other has: a run, and its own result beside it."""
    names = {source.name for source in others}
    if source.name not in names:
        return source
    numbered = (f"{path.name} ({at})" for at in range(2, len(names) + 3))
    name = next(candidate for candidate in chain([path.name], numbered) if candidate not in names)
    return replace(
        source, name=name, episodes=[replace(episode, source=name) for episode in source.episodes]
    )


def _files(folder: Path) -> list[Path]:
    with naming(folder):
        names = sorted(folder.iterdir())
    wanted = (*RUN_NAMES, RESULT_NAME)
    paths = [path for path in names if path.name.endswith(wanted) and path.is_file()]
    if len(paths) > MAX_FILES:
        raise UnreadableFile(str(folder), f"{len(paths):,} files", hint=f"{MAX_FILES:,} at most")
    return paths


def _run(path: Path, seed: int) -> Source | str:
    """Return a run, or why it is none of this benchmark's."""
    first = _first(path)
    if not isinstance(first, Mapping) or cast("Any", first).get("kind") != RUN:
        return "no run"
    run = read_run(path)
    if run.header.get("benchmark") != BENCHMARK:
        return f"a run of {excerpt(run.header.get('benchmark'))}"
    outcomes = labelled_outcomes(path, run, {})
    name = path.name.removesuffix(".gz").removesuffix(".jsonl")
    episodes = [RecordedEpisode(name, *pair) for pair in zip(run.episodes, outcomes, strict=True)]
    about = {key: run.header[key] for key in ABOUT if isinstance(run.header.get(key), str)}
    count = run.header.get("rows") if isinstance(run.header.get("rows"), int) else None
    figures = [figures_of(row.record()) for row in score_rows(outcomes, seed=seed)]
    return Source(name, about, count, figures, episodes, len(run.cut_off))


def _first(path: Path) -> object:
    """Return the first record of JSON lines; None where a file of any kind has none."""
    try:
        return next(read_records(path, lambda record: record, torn=True), None)
    except (gzip.BadGzipFile, zlib.error) as error:
        raise UnreadableFile(str(path), str(error)) from None


def _result(path: Path) -> Source | str:
    result = read_result(path)
    if result is None:
        return "no result"
    if result.about.get("benchmark", BENCHMARK) != BENCHMARK:
        return f"a result of {excerpt(result.about['benchmark'])}"
    return Source(result.name, result.about, result.catalog_rows, result.rows)
