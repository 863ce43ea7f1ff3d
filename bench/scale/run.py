"""The run of the scale benchmark: costs at each size, fitted, and what they come to beyond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..progress import Counted, uncounted
from .data import bytes_a_row, parquet_folder
from .engines import Engine, on_bitset, on_duckdb, on_partials, on_postgres
from .fit import Cost, Measured, fitted

BEYOND = (10**9, 10**10)
WITHIN = 10.0
"""Seconds in which an answer is wanted, for the cores that it needs then."""

ANSWER = ("histogram, first keys, ends", "histogram inside executors", "counted by file")
"""The statements that read every row: an answer waits for one of them."""

LARGEST = {"bitset": 10**7, "postgres": 10**7, "spark": 10**7}
"""The most rows that an engine is given here."""


@dataclass(frozen=True)
class Options:
    """What is measured: sizes, engines besides DuckDB, and how often each statement is asked."""

    folder: Path
    sizes: tuple[int, ...] = (10**6, 10**7)
    repeats: int = 3
    postgres: str | None = None
    spark: bool = False


@dataclass(frozen=True)
class Report:
    """Everything measured, and bytes a row of the columns that are read."""

    measured: tuple[Measured, ...]
    bytes_a_row: float

    def costs(self) -> dict[tuple[str, str], Cost]:
        """Return fixed and per-row cost of each engine's statements."""
        found: dict[tuple[str, str], list[Measured]] = {}
        for each in self.measured:
            found.setdefault((each.engine, each.statement), []).append(each)
        return {
            name: fitted([each.rows for each in costs], [each.seconds for each in costs])
            for name, costs in found.items()
        }

    def beyond(self) -> list[dict[str, Any]]:
        """Return for 10⁹ and 10¹⁰ rows what an answer's pass comes to on each engine."""
        return [
            {
                "engine": engine,
                "statement": statement,
                "rows": rows,
                "bytes": round(rows * self.bytes_a_row),
                "cpu_seconds": (seconds := cost.at(rows)),
                "cores_for_10_s": max(1, round(seconds / WITHIN + 0.5)),
                "seconds_on_64_cores": seconds / 64,
            }
            for (engine, statement), cost in self.costs().items()
            if statement in ANSWER
            for rows in BEYOND
        ]

    def record(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        fits = [
            {"engine": engine, "statement": statement, **asdict(cost)}
            for (engine, statement), cost in self.costs().items()
        ]
        measured = [{**asdict(each), "ns_a_row": each.nanoseconds} for each in self.measured]
        return {
            "bytes_a_row": self.bytes_a_row,
            "measured": measured,
            "fits": fits,
            "beyond": self.beyond(),
        }


def run_scale(options: Options, watch: Counted = uncounted) -> Report:
    """Measure what the options ask for; raises a `CatalogError` for an engine not there."""
    engines: dict[str, Engine] = {
        "duckdb": on_duckdb,
        "partials": on_partials,
        "bitset": on_bitset,
    }
    if options.postgres is not None:
        engines["postgres"] = on_postgres(options.postgres)
    if options.spark:
        from .on_spark import on_spark

        engines["spark"] = on_spark
    planned = [
        (engine, rows)
        for rows in options.sizes
        for name, engine in engines.items()
        if rows <= LARGEST.get(name, rows)
    ]
    measured: list[Measured] = []
    for engine, rows in watch(planned, "measuring"):
        measured += engine(options.folder, rows, options.repeats)
    rows = options.sizes[0]
    width = bytes_a_row(parquet_folder(options.folder, rows), rows)
    return Report(tuple(measured), width)


def size_text(rows: int) -> str:
    """Return a number of rows in short: `1e+06` is 10⁶."""
    digits = str(rows)
    if digits.strip("0") == "1":
        return "10" + str(len(digits) - 1).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{rows:,}"


def lines(report: Report) -> Sequence[str]:
    """Return the report as Markdown tables."""
    head = "| engine | statement | rows | CPU s | ns a row | × by hand |"
    listed = [head, "|---|---|--:|--:|--:|--:|"]
    for each in report.measured:
        ratio = "" if each.hand is None else f"{each.seconds / each.hand:.2f}"
        listed.append(
            f"| {each.engine} | {each.statement} | {size_text(each.rows)} | {each.seconds:.3f} "
            f"| {each.nanoseconds:.1f} | {ratio} |"
        )
    listed += ["", "| engine | statement | fixed CPU s | ns a row |", "|---|---|--:|--:|"]
    for (engine, statement), cost in report.costs().items():
        listed.append(f"| {engine} | {statement} | {cost.fixed:.3f} | {cost.a_row * 1e9:.1f} |")
    listed += [
        "",
        "| engine | statement | rows | GB read | CPU s | cores for 10 s | s on 64 cores |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for each in report.beyond():
        listed.append(
            f"| {each['engine']} | {each['statement']} | {size_text(each['rows'])} "
            f"| {each['bytes'] / 1e9:.0f} | {each['cpu_seconds']:.0f} "
            f"| {each['cores_for_10_s']} | {each['seconds_on_64_cores']:.1f} |"
        )
    return listed
