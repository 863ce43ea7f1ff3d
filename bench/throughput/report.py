"""The report of a throughput run as typed JSON: options, machine, versions, cells with results."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

SCHEMA_VERSION = 1

Outcome = Literal["measured", "skipped", "not installed", "stopped"]


class Part(BaseModel):
    """A frozen piece of the report that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Selectivity(Part):
    """How much each predicate keeps, and how the data were drawn.

    `shares` are the shares of all rows that meet each predicate, counted, by position;
    `base_share` is the share of rows in the base slice, 1 without one; `matching` is how many
    rows of the base slice meet all predicates.
    """

    shares: tuple[float, ...]
    base_share: float
    matching: int
    drawn: str
    seed: int


class Result(Part):
    """One method's times over one question, in milliseconds.

    `ratio` is its median over ours. `bytes` is what it has to read for one answer, in the form
    it holds the data in; None where that is not known. `compared` names what of its answer was
    compared with ours, and was equal. `cpu_ms` is the median processor time of the thread that
    calls. Without times, `why` says why not.
    """

    method: str
    outcome: Outcome
    why: str = ""
    runs: int = 0
    median_ms: float | None = None
    p99_ms: float | None = None
    fastest_ms: float | None = None
    cpu_ms: float | None = None
    ratio: float | None = None
    bytes: int | None = None
    compared: tuple[str, ...] = ()


class Speed(Part):
    """How fast repairs are answered and written out over so many rows, of `k` constraints.

    `kind`: the first time they are asked, prepared, or with their rows known. `base`: within a
    base slice. `duckdb_ratio` is the median of the whole answer in plain DuckDB, on one thread,
    over ours.
    """

    rows: int
    k: int
    kind: Literal["first", "prepared", "warm"]
    base: bool
    p50_ms: float
    p99_ms: float
    cpu_ms: float
    duckdb_ratio: float | None


class Cell(Part):
    """One question and how every method fared; the first method is ours.

    `speeds` say the same of ours in one line each. `figures` are measurements without
    comparison: bandwidths, fits, memory.
    """

    case: dict[str, int | float | str]
    selectivity: Selectivity | None = None
    results: tuple[Result, ...] = ()
    figures: dict[str, float] = {}
    speeds: tuple[Speed, ...] = ()

    @property
    def label(self) -> str:
        """The case in one line."""
        return ", ".join(f"{key} {spoken(value)}" for key, value in self.case.items())

    def result(self, method: str) -> Result | None:
        """Return a method's result, if it took part."""
        return next((result for result in self.results if result.method == method), None)


class Section(Part):
    """Cells of one kind, in the order they were measured."""

    name: str
    title: str
    note: str
    cells: tuple[Cell, ...]


class Report(Part):
    """A whole run: its options, the machine, the versions that took part, the sections.

    `rows` are the speeds of all cells.
    """

    schema_version: int = SCHEMA_VERSION
    options: dict[str, Any]
    machine: dict[str, str | int | float]
    versions: dict[str, str]
    sections: tuple[Section, ...]
    rows: tuple[Speed, ...] = ()

    def section(self, name: str) -> Section | None:
        """Return a section by name, if it was run."""
        return next((section for section in self.sections if section.name == name), None)


def spoken(value: float | str) -> str:
    """Return a value as a table shows it: 1,000,000 and not 1000000."""
    return f"{value:,}" if isinstance(value, int) and abs(value) >= 10_000 else str(value)
