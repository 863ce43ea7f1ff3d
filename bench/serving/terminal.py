"""The report as tables for people: questions asked for the first time, then all answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group
from rich.table import Table

from .comparison import RIVALS, Measured
from .consistency import Consistency
from .report import Latency, ServingReport, Step

TIMES = ("p50", "p95", "p99", "max")
FIRST_COLUMNS = ("a second", "of the answers", *TIMES)
COLUMNS = ("a second", "achieved", *TIMES, "errors", "wrong", "server", "asking")

COMPARED = (
    "service", "asked", "answers", "failed", "a core-second", "× 1", "× 2", "p50", "p99",
)  # fmt: skip


OWN_WRITES = (
    "workers", "others", "reads", "stale", "failed", "p50", "without writes", "others' p50",
    "without writes",
)  # fmt: skip
JUDGED = ("workers", "answers", "wrong", "torn", "failed", "versions", "writes")
KILLED = ("kills", "acknowledged", "lost", "went back")


def consistency_tables(seen: Consistency) -> Group:
    """Return what clients read of their own writes, what a twin found, and what kills left."""
    own = [[str(each) for each in vars(tried).values()] for tried in seen.own_writes]
    judged = [
        [
            *map(str, (each.workers, each.answers, each.wrong, each.torn, each.failed)),
            str(each.versions),
            _listed(each.writes),
        ]
        for each in seen.judged
    ]
    killed = seen.killed
    kills = [_listed(killed.kills), *map(str, (killed.acknowledged, killed.lost, killed.went_back))]
    return Group(
        _table("A client reads what it wrote, beside others; milliseconds", OWN_WRITES, own),
        _table("Readers beside a writer, judged by a twin", JUDGED, judged),
        _table("Processes killed in the middle of writes", KILLED, [kills]),
        *killed.complaints[:10],
    )


def _listed(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in sorted(numbers.items()))


def serving_tables(report: ServingReport) -> Group:
    """Return the tables, alone and beside the writer, and what the generator can do.

    Of each, questions asked for the first time come first, then all answers together.
    """
    tables: list[Table] = []
    for writer in (False, True):
        steps = [step for step in report.steps if step.writer == writer]
        beside = "beside a writer that swaps the catalog" if writer else "alone"
        rows = f"{report.options['rows']:,} rows, one worker, {beside}"
        first = [row for step in steps if (row := _first_row(step))]
        title = f"Asked for the first time: {rows}; milliseconds"
        tables.append(_table(title, FIRST_COLUMNS, first))
        everything = f"All answers, kept ones among them: {rows}; milliseconds"
        tables.append(_table(everything, COLUMNS, [_row(step) for step in steps]))
    return Group(*(table for table in tables if table.row_count), *_notes(report))


def comparison_tables(rows: int, measured: Sequence[Measured]) -> Group:
    """Return what our service and plain ones answered, beside each other."""
    alike = {(each.service, each.asked): each for each in measured}
    listed = [
        [
            each.service,
            each.asked,
            f"{each.answers:,}",
            str(each.failed + each.stale),
            f"{each.a_core_second:,.0f}",
            *(_times_as_many(each, alike.get((rival, each.asked))) for rival in RIVALS),
            f"{each.p50:.1f}",
            f"{each.p99:.1f}",
        ]
        for each in measured
    ]
    title = f"{rows:,} rows, eight clients in a closed loop; milliseconds"
    notes = [f"× {place}: as many as {rival}." for place, rival in enumerate(RIVALS, 1)]
    return Group(_table(title, COMPARED, listed), *notes)


def _times_as_many(ours: Measured, theirs: Measured | None) -> str:
    if theirs is None or ours.service in RIVALS:
        return ""
    return f"{ours.a_core_second / theirs.a_core_second:.1f}"


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(title=title, title_justify="left")
    for name in columns:
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(*row)
    return table


def _first_row(step: Step) -> list[str]:
    if step.first is None:
        return []
    return [f"{step.asked:g}", f"{step.first_asked:.0%}", *_times(step.first)]


def _times(latency: Latency) -> list[str]:
    return [f"{getattr(latency, name):.1f}" for name in TIMES]


def _row(step: Step) -> list[str]:
    return [
        f"{step.asked:g}",
        f"{step.achieved:.0f}",
        *_times(step.latency),
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
