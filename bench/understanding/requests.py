"""How well a reader understands requests: figures over all of them and by phenomenon.

A request's constraints are right where all of the gold were read and none besides, however
they were written (`wishes`); it is fully right where objectives and leanings are right too.
Precision, recall and F1 are over single wishes. A phenomenon's `own` share asks only about the
columns that carry it: the negated one, the one with alternatives, the superlative.

Shares have Wilson intervals; F1, bootstrap intervals over requests. Cost: one reading a request.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ...catalogs.catalog import Catalog
from ...catalogs.versions.reader import CatalogReader
from ...dialogs.extraction import offline
from ...dialogs.extraction.extracted import Extraction, Said
from ..bootstrap import RESAMPLES, Interval, draw_counts, percentile_interval
from .calibration import Calibration, judged
from .column_cells import ColumnCells, read_columns
from .request_marks import Marks, mark
from .request_records import GoldConstraint, Request, RequestSet
from .wilson import Share, share

SEED = 20_260


class Reader(Protocol):
    """What is judged: `concede.dialogs.extract`, or anything called like it."""

    def __call__(
        self, said: Said, catalog: CatalogReader, *, today: date | None = None
    ) -> Extraction: ...


def offline_reader(said: Said, catalog: CatalogReader, *, today: date | None = None) -> Extraction:
    """Read without a model; `today` is left out where the reader does not take it."""
    takes_today = "today" in inspect.signature(offline.extract).parameters
    keywords: dict[str, Any] = {"today": today} if today and takes_today else {}
    return offline.extract(said, catalog, **keywords)


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of some requests; a share is None where there is nothing to take it of."""

    requests: int
    constraints_right: Share
    fully_right: Share
    own: Share
    precision: float | None
    recall: float | None
    f1: float | None
    f1_interval: Interval | None


@dataclass(frozen=True, slots=True)
class RequestScores:
    """Figures over all requests and by phenomenon, in the order of their names.

    `nothing_meant`: requests without a wish of which nothing was read; `admitted`: of those
    that cannot be understood, the ones where the reader says so; `hardness`: of wishes read
    rightly, the ones whose hardness is right; `calibration`: of the confidence of constraints.
    """

    overall: Figures
    objectives: Share
    leanings: Share
    waived: Share
    hardness: Share
    nothing_meant: Share
    admitted: Share
    calibration: Calibration
    phenomena: dict[str, Figures]

    def record(self) -> dict[str, Any]:
        """Return the scores as a JSON object."""
        return asdict(self)


def score_requests(
    records: RequestSet, extract: Reader = offline_reader, *, resamples: int = RESAMPLES
) -> RequestScores:
    """Read every request of a set and return the figures.

    Raises what the reader raises, and `UnreadableCatalog` where a catalog is missing.
    """
    marked, confidences = list[tuple[Request, Marks]](), list[tuple[float, bool]]()
    for request, marks, read, _ in readings(records, extract):
        marked.append((request, marks))
        confidences.extend(judged(read, marks))
    columns = _columns(records)
    return RequestScores(
        overall=_figures(marked, lambda request, marks: None, resamples),
        **_totals(marked),
        calibration=Calibration.of(confidences),
        phenomena={
            name: _figures(
                [pair for pair in marked if name in pair[0].phenomena],
                lambda request, marks, name=name: own(name, request, marks, columns),
                resamples,
            )
            for name in sorted({name for request, _ in marked for name in request.phenomena})
        },
    )


def readings(
    records: RequestSet, extract: Reader
) -> Iterator[tuple[Request, Marks, Extraction, Mapping[str, ColumnCells]]]:
    """Yield each request with its marks, what was read, and the columns of its catalog."""
    columns = _columns(records)
    for name in columns:
        with Catalog.open(records.catalog_path(name)) as catalog:
            for request in (one for one in records.requests if one.catalog == name):
                read = extract(request.said(), catalog, today=request.today)
                yield request, mark(request.gold, read, columns[name]), read, columns[name]


def _columns(records: RequestSet) -> dict[str, Mapping[str, ColumnCells]]:
    names = dict.fromkeys(request.catalog for request in records.requests)
    return {name: read_columns(Path(records.catalog_path(name))) for name in names}


Marked = Sequence[tuple[Request, Marks]]


def _figures(
    marked: Marked, own_right: Callable[[Request, Marks], bool | None], resamples: int
) -> Figures:
    owned = [right for pair in marked if (right := own_right(*pair)) is not None]
    right, missing, extra = (
        np.array([len(getattr(marks, name)) for _, marks in marked], dtype=np.float64)
        for name in ("right", "missing", "extra")
    )
    counts = draw_counts(len(marked), SEED, resamples) if marked else np.zeros((0, 0))
    drawn = np.stack([counts @ right, counts @ missing, counts @ extra])
    with np.errstate(invalid="ignore"):
        sampled = 2 * drawn[0] / (2 * drawn[0] + drawn[1] + drawn[2])
    hits, missed, wrong = (int(part.sum()) for part in (right, missing, extra))
    return Figures(
        len(marked),
        share(sum(marks.constraints_right for _, marks in marked), len(marked)),
        share(sum(marks.fully_right for _, marks in marked), len(marked)),
        share(sum(owned), len(owned)),
        _ratio(hits, hits + wrong),
        _ratio(hits, hits + missed),
        _ratio(2 * hits, 2 * hits + missed + wrong),
        percentile_interval(sampled),
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _totals(marked: Marked) -> dict[str, Share]:
    def right(which: Callable[[Request], object], judged: Callable[[Marks], bool]) -> Share:
        chosen = [marks for request, marks in marked if which(request)]
        return share(sum(judged(marks) for marks in chosen), len(chosen))

    hard = [marks.hardness for _, marks in marked]
    return {
        "objectives": right(lambda one: one.gold.objectives, lambda marks: marks.objectives.clean),
        "leanings": right(lambda one: one.gold.leanings, lambda marks: marks.leanings.clean),
        "waived": right(lambda one: one.gold.waived, lambda marks: marks.waived_right),
        "hardness": share(sum(good for good, _ in hard), sum(judged for _, judged in hard)),
        "nothing_meant": right(_wishless, lambda marks: marks.fully_right),
        "admitted": right(lambda one: one.gold.not_understood, lambda marks: marks.admitted),
    }


def _wishless(request: Request) -> bool:
    gold = request.gold
    return not (gold.constraints or gold.objectives or gold.leanings)


def own(
    phenomenon: str,
    request: Request,
    marks: Marks,
    columns: Mapping[str, Mapping[str, ColumnCells]],
) -> bool | None:
    """Return whether what carries the phenomenon is right; None where it cannot be singled out."""
    if phenomenon == "superlative":
        return marks.objectives.clean
    if phenomenon == "vague wish":
        return marks.leanings.clean
    if phenomenon == "waiver":
        return marks.waived_right
    if phenomenon == "hardness":
        return marks.constraints_right and marks.hardness[0] == marks.hardness[1]
    carries = _CARRIERS.get(phenomenon)
    if carries is None:
        return None
    cells = columns[request.catalog]
    carriers = {
        part.column for part in request.gold.constraints if carries(part, cells[part.column])
    }
    return marks.columns_right(carriers) if carriers else None


def _is_ordered(part: GoldConstraint, column: ColumnCells) -> bool:
    return column.ordered


def _is_moment(part: GoldConstraint, column: ColumnCells) -> bool:
    return column.kind in ("date", "time")


_CARRIERS: dict[str, Callable[[GoldConstraint, ColumnCells], bool]] = {
    "negation": lambda part, column: part.op in ("!=", "not in") or part.value == "no",
    "alternatives": lambda part, column: part.op in ("in", "contains any"),
    "any of": lambda part, column: part.op == "contains any",
    "all of": lambda part, column: part.op == "contains",
    "yes or no": lambda part, column: column.kind == "yes-no",
    "date or time": _is_moment,
    "relative date": _is_moment,
    **dict.fromkeys(
        ("bound", "range", "approximation", "number words", "unit", "two bounds"), _is_ordered
    ),
}
