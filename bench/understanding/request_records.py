"""Requests with gold: what a person typed, and what a careful reader would write down for it.

A folder of them holds `requests.jsonl` and `catalogs/NAME.csv`. Three folders are part of the
package: `written/` and `development/`, for whoever writes or trains a reader, and `held_out/`,
for judging it: nobody who writes rules, features or training sentences reads that one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..json_lines import read_records

HERE = Path(__file__).parent
DEVELOPMENT = HERE / "development"
WRITTEN = HERE / "written"
HELD_OUT = HERE / "held_out"
FRESH = HERE / "fresh"

GoldValue = bool | int | float | str | list[int | float | str] | None
Direction = Literal["min", "max"]


class Strict(BaseModel):
    """A frozen record; a field it does not have is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class GoldConstraint(Strict):
    """A wish. `approx`: within a fifth of the value is right; `hard` None: either is right."""

    column: str
    op: str
    value: GoldValue = None
    hard: bool | None = False
    approx: bool = False


class GoldDirection(Strict):
    """A column wished low or high: an objective or a leaning."""

    column: str
    direction: Direction


class Gold(Strict):
    """What is to be understood; `optional` constraints and leanings may be read and need not."""

    constraints: tuple[GoldConstraint, ...] = ()
    objectives: tuple[GoldDirection, ...] = ()
    leanings: tuple[GoldDirection, ...] = ()
    waived: tuple[str, ...] = ()
    optional: tuple[GoldConstraint | GoldDirection, ...] = ()
    not_understood: bool = False


class Request(Strict):
    """One message of a person on a catalog, perhaps the answer to `before`, with its gold."""

    catalog: str
    text: str
    before: str | None = None
    today: date | None = None
    gold: Gold
    phenomena: tuple[str, ...] = Field(default=())

    def said(self) -> str | list[dict[str, Any]]:
        """Return the text alone, or the exchange where it answers something."""
        if self.before is None:
            return self.text
        return [
            {"role": "assistant", "content": self.before},
            {"role": "user", "content": self.text},
        ]


@dataclass(frozen=True, slots=True)
class RequestSet:
    """The requests of one folder, in the file's order, and where their catalogs are."""

    requests: tuple[Request, ...]
    catalogs: Path

    def catalog_path(self, name: str) -> Path:
        """Return the file of a catalog."""
        return self.catalogs / f"{name}.csv"


def read_requests(file: str | Path) -> RequestSet:
    """Read a file of requests; its catalogs are in the folder `catalogs` beside it.

    Raises `UnreadableFile` that names the line of what is wrong.
    """
    requests = tuple(read_records(file, Request.model_validate))
    return RequestSet(requests, Path(file).parent / "catalogs")


def development() -> RequestSet:
    """Return the requests that whoever writes a reader may look at."""
    return read_requests(DEVELOPMENT / "requests.jsonl")


def written() -> RequestSet:
    """Return the requests that were written to be learned from."""
    return read_requests(WRITTEN / "requests.jsonl")


def fresh() -> RequestSet:
    """Return the requests that nothing learns from, and whoever writes a reader may read."""
    return read_requests(FRESH / "requests.jsonl")


def held_out() -> RequestSet:
    """Return the requests that judge a reader; only their figures are to be looked at."""
    return read_requests(HELD_OUT / "requests.jsonl")
