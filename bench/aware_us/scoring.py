"""Metrics of runs from their transcript files, comparisons of two runs, and result files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...catalogs.errors import QueryError, UnreadableFile, excerpt
from ..json_lines import read_records
from ..runs.result_file import result_record, write_result
from ..runs.run_file import Run, read_run
from .intervals import Comparison, compare
from .measures import MEASURES
from .outcome import Outcome
from .rows import ALL, Groups, Row
from .transcripts import LABELS, outcome_of

BENCHMARK = "aware-us"
COMPARED = tuple(MEASURES)


def read_outcomes(path: str | Path, where: Mapping[str, str] | None = None) -> list[Outcome]:
    """Return how the episodes of a run ended, those of the labels in `where`.

    Raises `UnreadableFile` for a file that is no run of this benchmark, `QueryError` for a
    label that no episode has.
    """
    run = read_run(path)
    return labelled_outcomes(path, run, where or {})


def labelled_outcomes(path: str | Path, run: Run, where: Mapping[str, str]) -> list[Outcome]:
    """Return how the episodes of a run that is read already ended; see `read_outcomes`."""
    benchmark = run.header.get("benchmark")
    if benchmark != BENCHMARK:
        raise UnreadableFile(str(path), f"a run of {excerpt(benchmark)}, not of {BENCHMARK}")
    try:
        outcomes = [outcome_of(episode) for episode in run.episodes]
    except QueryError as error:
        raise UnreadableFile(str(path), error.problem, hint=error.hint) from None
    for name, wanted in where.items():
        there = sorted({outcome.labels.get(name, "") for outcome in outcomes})
        if wanted not in there:
            hint = f"it has {', '.join(filter(None, there)) or 'none'}"
            raise QueryError(f"no episode with {name} {excerpt(wanted)}", hint=hint)
        outcomes = [outcome for outcome in outcomes if outcome.labels.get(name) == wanted]
    return outcomes


def score_rows(outcomes: Sequence[Outcome], *, seed: int = 0) -> list[Row]:
    """Return the metrics of every kind of episode, by setting and over all."""
    groups = Groups()
    for outcome in outcomes:
        groups.add(outcome)
    return groups.rows(seed=seed, failing=True)


@dataclass(frozen=True)
class SettingComparison:
    """One metric of two runs over the instances of one setting that both have."""

    setting: str
    comparison: Comparison

    def record(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {"setting": self.setting, **self.comparison.record()}


def compare_rows(
    first: Sequence[Outcome],
    second: Sequence[Outcome],
    names: Sequence[str] = COMPARED,
    *,
    seed: int = 0,
) -> list[SettingComparison]:
    """Compare two runs metric by metric, over each setting and over all.

    Raises `QueryError` where a side holds several kinds of episode, or none in common.
    """
    for place, side in (("first", first), ("second", second)):
        _check_one_kind(place, side)
    settings = dict.fromkeys(outcome.labels.get("setting", ALL) for outcome in first)
    rows: list[SettingComparison] = []
    for setting in dict.fromkeys([*settings, ALL]):
        before, after = _in_setting(first, setting), _in_setting(second, setting)
        shared = {part.gold.id for part in before} & {part.gold.id for part in after}
        if shared or setting == ALL:
            rows.extend(
                SettingComparison(setting, compare(before, after, name, seed=seed))
                for name in names
            )
    return [row for row in rows if row.comparison.first is not None]


def _in_setting(outcomes: Sequence[Outcome], setting: str) -> list[Outcome]:
    if setting == ALL:
        return list(outcomes)
    return [outcome for outcome in outcomes if outcome.labels.get("setting", ALL) == setting]


def _check_one_kind(place: str, outcomes: Sequence[Outcome]) -> None:
    for name in LABELS[1:]:
        values = sorted({outcome.labels.get(name, "") for outcome in outcomes})
        if len(values) > 1:
            problem = f"the {place} run has {len(values)} kinds of {name}"
            hint = f"give --{place} {name}=NAME, one of {', '.join(values)}"
            raise QueryError(problem, hint=hint)


def keep_result(
    path: str | Path,
    rows: Sequence[Row],
    *,
    name: str,
    runs: Iterable[str | Path],
    command: str | None,
    date: str,
) -> None:
    """Write the rows that were scored of these runs as a result.

    What the headers of several runs say differently is left out. Raises `UnreadableFile`.
    """
    headers = [next(read_records(path, dict[str, Any])) for path in runs]
    about = {"benchmark": _agreed(headers, "benchmark"), "command": command, "date": date}
    about |= {"mode": _agreed(headers, "mode"), "catalog": _agreed(headers, "catalog")}
    about["catalog_rows"] = _agreed(headers, "rows")
    known = {key: value for key, value in about.items() if value is not None}
    write_result(path, result_record(name, known, [row.record() for row in rows]))


def _agreed(headers: Sequence[Mapping[str, Any]], key: str) -> Any:
    values = [header.get(key) for header in headers]
    return values[0] if all(value == values[0] for value in values) else None
