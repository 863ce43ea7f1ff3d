"""The report as tables for people."""

from __future__ import annotations

from rich.console import Group
from rich.table import Table

from .report import ServingReport, Step

COLUMNS = (
    "a second",
    "achieved",
    "p50",
    "p95",
    "p99",
    "max",
    "errors",
    "wrong",
    "server",
    "asking",
)


def serving_tables(report: ServingReport) -> Group:
    """Return one table without the writer and one beside it, and what the generator can do."""
    tables = [_table(report, writer) for writer in (False, True)]
    return Group(*(table for table in tables if table.row_count), *_notes(report))


def _table(report: ServingReport, writer: bool) -> Table:
    beside = "beside a writer that swaps the catalog" if writer else "alone"
    title = f"{report.options['rows']:,} rows, one worker, {beside}; milliseconds"
    table = Table(title=title, title_justify="left")
    for name in COLUMNS:
        table.add_column(name, justify="right")
    for step in report.steps:
        if step.writer == writer:
            table.add_row(*_row(step))
    return table


def _row(step: Step) -> list[str]:
    latency = step.latency
    times = [
        f"{milliseconds:.1f}"
        for milliseconds in (latency.p50, latency.p95, latency.p99, latency.max)
    ]
    return [
        f"{step.asked:g}",
        f"{step.achieved:.0f}",
        *times,
        str(step.errors + step.lost),
        f"{step.wrong} of {step.judged}",
        f"{step.server_cpu:.0%}",
        f"{step.generator_cpu:.0%}",
    ]


def _notes(report: ServingReport) -> list[str]:
    notes: list[str] = []
    if report.options["repeats"] > 1:
        notes.append(f"Of each rate the best of {report.options['repeats']} runs.")
    for step in report.steps:
        notes.append(
            f"At {step.asked:g} a second{', beside the writer' if step.writer else ''}: "
            f"{step.first_asked:.0%} asked for the first time, p99 {step.p99_first:.1f} ms; "
            f"{step.cpu_ms:.1f} ms of processor and {step.kib_an_answer:.0f} KiB an answer; "
            f"{step.server_mib:,.0f} MiB."
        )
        if step.cold:
            notes.append(
                f"At {step.asked:g} a second, in the first {report.options['warm_up']:g} s, when "
                f"most is asked for the first time: p50 {step.cold.p50:.1f}, "
                f"p99 {step.cold.p99:.1f} ms."
            )
        if step.writing:
            writing = step.writing
            notes.append(
                f"At {step.asked:g} a second: {writing.rows_a_second:,.0f} rows written a second, "
                f"upserts {writing.upsert_p50_ms:.0f} ms (most {writing.upsert_max_ms:.0f}), "
                f"{writing.swaps} swaps (most {writing.swap_max_ms:.0f} ms), "
                f"{writing.failed} failed; {step.versions} versions were answered from; "
                f"{step.late:.1%} of the answers were of one that had been replaced when they were "
                f"asked for, {step.late_s:.1f} s before at most."
            )
    if report.ceiling:
        notes.append(
            f"The generator alone keeps {report.ceiling.rate:,.0f} a second "
            f"with a p99 of {report.ceiling.p99_ms:.1f} ms."
        )
    complaints = [text for step in report.runs for text in step.complaints]
    return [*notes, *complaints[:10]]
