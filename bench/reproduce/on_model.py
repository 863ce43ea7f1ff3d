"""The roles of every benchmark on a model, as a column of the report beside the printed tables.

Replies are kept in the report's folder, a cassette a benchmark and model; run again they are read
from there. The column belongs to the report of one command: without `--model` there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ..model_roles.registry import model_benchmarks
from ..model_roles.runs import Estimate, ModelRun, ModelSettings, estimate, run_all
from ..progress import Counted
from .row import Figure, Row


@dataclass(frozen=True)
class OnModel:
    """What came of the runs on one model, by benchmark."""

    model: str
    runs: Sequence[ModelRun]

    @property
    def stopped(self) -> str:
        """The first reason why a run was stopped; empty where none was."""
        return next((run.stopped for run in self.runs if run.stopped), "")

    def rows(self) -> Iterator[Row]:
        """Yield a row for each figure, with the model's column."""
        for run in self.runs:
            for figure in run.figures:
                yield Row(
                    run.document,
                    run.table,
                    f"{run.roles}: {figure.column}",
                    comparable=run.comparable,
                    reason=run.remark,
                    command=run.command,
                    columns={self.model: Figure(figure.value, figure.low, figure.high)},
                )


def on_model(
    data: Path,
    out: Path,
    only: Sequence[str],
    quick: bool,
    counted: Counted,
    model: str,
    *,
    base_url: str | None = None,
    max_tokens_total: int | None = None,
) -> OnModel:
    """Run the benchmarks of some names on a model, as far as its tokens reach.

    Raises what `run_all` raises; what was replied until then is kept.
    """
    settings = ModelSettings(model, folder_of(out, model, base_url), base_url, max_tokens_total)
    return OnModel(model, run_all(model_benchmarks(data, only, quick=quick), settings, counted))


def folder_of(out: Path, model: str, base_url: str | None) -> Path:
    """Return the folder of a model's replies: its name as files can have it, and a digest."""
    digest = sha256(f"{model}\n{base_url or ''}".encode()).hexdigest()[:8]
    return out / "model" / f"{re.sub(r'[^A-Za-z0-9.-]+', '-', model)[-60:]}-{digest}"


def estimates(data: Path, only: Sequence[str], quick: bool) -> list[Estimate]:
    """Return about what each benchmark costs on any model."""
    return [estimate(each) for each in model_benchmarks(data, only, quick=quick)]
