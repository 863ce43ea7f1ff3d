"""The figures of the roles on a model as a table, for the page and the leaderboard alike."""

from __future__ import annotations

from .headline import interval_words, shown
from .on_model import OnModel

MODEL_COLUMNS = (
    "benchmark", "document", "table", "on the model", "figure", "value", "in mind",
)  # fmt: skip


def model_cells(found: OnModel) -> list[tuple[str, ...]]:
    """Return the figures as the cells of `MODEL_COLUMNS`; a run without any has one line."""
    return [
        (run.benchmark, run.document, run.table, run.roles, *figure, run.remark)
        for run in found.runs
        for figure in (
            [
                (each.column, shown(each.value) + interval_words(each.low, each.high))
                for each in run.figures
            ]
            or [("", "–")]
        )
    ]
