"""Score `clarify` on requests whose unclear spots people marked.

A folder holds `requests.jsonl`, a line `{"catalog", "text", "spots": [{"said", "kind"}], "clear"}`
each, and `catalogs/NAME.csv`. A spot is noticed where some question is about one of its characters.
`.csv` may stand after the catalog's name; without `clear` a line without spots is clear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ...catalogs.catalog import Catalog
from ...catalogs.errors import UnreadableFile
from ...dialogs.clarification.clarify import clarify
from ...dialogs.clarification.decision import SpotModel
from ...dialogs.clarification.unknowns import Unknown
from ..json_lines import read_records
from ..understanding.wilson import Share, share

DEVELOPMENT = Path(__file__).parent / "development"


class MarkedSpot(BaseModel):
    """Words of a request that are unclear, and why."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    said: str = Field(min_length=1)
    kind: str


class MarkedRequest(BaseModel):
    """One request with its unclear spots; a `clear` one has none."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    catalog: str
    text: str
    spots: tuple[MarkedSpot, ...] = ()
    clear: bool | None = None

    @property
    def is_clear(self) -> bool:
        """Whether nothing of it should be asked about."""
        return not self.spots if self.clear is None else self.clear


@dataclass
class SpotScores:
    """Counts over the requests of a folder; `by_kind` noticed, counted and all spots."""

    texts: int = 0
    questions: int = 0
    clear: int = 0
    clear_questioned: int = 0
    by_kind: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    def add(self, request: MarkedRequest, unknowns: Sequence[Unknown]) -> None:
        """Count one request and what was asked about it."""
        self.texts += 1
        self.questions += len(unknowns)
        if request.is_clear:
            self.clear += 1
            self.clear_questioned += bool(unknowns)
        for spot in request.spots:
            start = request.text.find(spot.said)
            end = start + len(spot.said)
            about = [u for u in unknowns if u.evidence.start < end and start < u.evidence.end]
            counts = self.by_kind.setdefault(spot.kind, [0, 0, 0])
            counts[0] += bool(about)
            counts[1] += any(o.constraint is not None for u in about for o in u.options)
            counts[2] += 1

    @property
    def totals(self) -> tuple[int, int, int]:
        """Spots noticed, with counted answers, and all of them."""
        noticed, counted, spots = (
            sum(counts[at] for counts in self.by_kind.values()) for at in range(3)
        )
        return noticed, counted, spots

    def record(self) -> dict[str, Any]:
        """Return the figures as a JSON object."""
        noticed, counted, spots = self.totals
        return {
            "texts": self.texts,
            "spots": spots,
            "noticed": _shown(share(noticed, spots)),
            "with_counted_options": _shown(share(counted, spots)),
            "clear_texts": self.clear,
            "clear_questioned": _shown(share(self.clear_questioned, self.clear)),
            "questions_per_text": round(self.questions / self.texts, 3) if self.texts else None,
            "kinds": {
                kind: {"spots": of, "noticed": seen, "with_counted_options": told}
                for kind, (seen, told, of) in sorted(self.by_kind.items())
            },
        }


def _shown(counted: Share) -> dict[str, Any]:
    ends = counted.interval
    return {
        "count": counted.right,
        "share": None if counted.share is None else round(counted.share, 4),
        "interval": None if ends is None else [round(end, 4) for end in ends],
    }


def marked_requests(folder: Path) -> Iterator[tuple[MarkedRequest, str | Path]]:
    """Yield the requests of a folder, each with where its catalog is. Raises `UnreadableFile`."""
    file = folder / "requests.jsonl"
    for request in read_records(file, MarkedRequest.model_validate):
        for spot in request.spots:
            if spot.said not in request.text:
                raise UnreadableFile(
                    str(file), f"{spot.said!r} is not in its text", hint="spots are verbatim"
                )
        path = folder / "catalogs" / f"{request.catalog.removesuffix('.csv')}.csv"
        yield request, path if path.is_file() else request.catalog


def score_spots(folder: Path, model: SpotModel | None = None) -> SpotScores:
    """Return the scores of the requests of a folder. Raises `UnreadableFile`."""
    catalogs: dict[str | Path, Catalog] = {}
    scores = SpotScores()
    for request, path in marked_requests(folder):
        if path not in catalogs:
            catalogs[path] = Catalog.open(path)
        scores.add(request, clarify(request.text, catalogs[path], model=model).unknowns)
    return scores
