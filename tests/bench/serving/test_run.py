"""The whole of it, small: a real service under load, its writer, and the judge."""

import json
import os

import pytest

from command_line import in_own_process
from concede.bench.serving.ceiling import ceiling
from concede.bench.serving.load import Load, Reply
from concede.bench.serving.report import ServingReport
from concede.bench.serving.run import Options, plan, replaced_for, run_serving
from concede.bench.serving.writer import WriteLog
from concede.catalogs.errors import QueryError

TINY = ("--rows", "2000", "--distinct", "15", "--rate", "15", "--seconds", "1")
TINY += ("--warm-up", "1")


@pytest.mark.slow
def test_every_answer_beside_the_writer_is_right(tmp_path):
    plot = tmp_path / "plot.png"
    outcome = in_own_process(
        *("bench", "serve", *TINY, "--writer", "--batches", "10", "--swap-every", "0.7"),
        *("--format", "json", "--plot", str(plot)),
        folder=tmp_path,
    )
    assert outcome.err == ""
    report = ServingReport.model_validate_json(outcome.out)
    assert outcome.code == 0
    assert report.clean
    assert report.pinned == (len(os.sched_getaffinity(0)) > 1)
    alone, beside = report.steps
    assert alone.versions == 1
    assert alone.writing is None
    assert beside.versions > 3
    assert beside.writing.swaps == 2
    assert beside.writing.upserts == 20
    assert beside.judged == beside.answers > 10
    # The first second is counted apart.
    assert alone.cold is not None
    assert 0 < alone.achieved < alone.answers
    assert plot.stat().st_size > 1_000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plot.png"]


def test_the_runs_come_in_order_each_as_often_as_asked():
    options = Options(rates=(10.0, 20.0), repeats=2, writer=True)
    planned = [(entry.writer, entry.rate, entry.repeat) for entry in plan(options)]
    assert planned == [(w, r, n) for w in (False, True) for r in (10.0, 20.0) for n in (0, 1)]
    assert len(plan(Options(rates=(10.0,)))) == 1


@pytest.mark.parametrize(
    "bad", [{"rows": 5}, {"rates": (0.0,)}, {"seconds": -1.0}, {"warm_up": -1.0}]
)
def test_what_cannot_be_asked_is_said_before_anything_starts(bad):
    with pytest.raises(QueryError, match="give"):
        run_serving(Options(**bad))


@pytest.mark.slow
def test_the_generator_knows_its_own_ceiling():
    found = ceiling(1_000, rates=(50,), seconds=0.4)
    assert found is None or (found.rate == 50 and found.p99_ms > 0)
    assert ceiling(1_000, rates=(10_000_000,), seconds=0.001) is None


def test_answers_are_late_that_were_asked_for_after_another_version():
    written = WriteLog(acknowledged={2: 101.0, 3: 104.0, 4: 105.0})
    due = [0.5, 0.5, 6.0, 6.0, 6.0, 6.0]
    versions = [1, 2, 1, 2, 3, 4]
    replies = [Reply(0, entry, 0.1, 200, b"") for entry in due]
    load = Load(100.0, replies, 10.0, 1.0, 0)
    assert replaced_for(load, written, list(zip(replies, versions, strict=True))) == [5.0, 2.0, 1.0]


def test_a_report_reads_as_tables(tmp_path):
    from rich.console import Console

    from concede.bench.serving.report import Ceiling, Latency, Step, Writing
    from concede.bench.serving.terminal import serving_tables

    writing = Writing(
        rows_a_second=1_000,
        upserts=20,
        upsert_p50_ms=5,
        upsert_max_ms=9,
        swaps=2,
        swap_max_ms=300,
        failed=0,
    )
    step = Step(
        asked=100,
        writer=True,
        seconds=2,
        answers=200,
        achieved=100,
        latency=Latency(p50=1, p95=2, p99=3.25, max=4),
        cold=Latency(p50=5, p95=6, p99=77.5, max=90),
        p99_by_kind={},
        first_asked=0.4,
        p99_first=3.5,
        late=0.015,
        late_s=2.25,
        errors=0,
        lost=1,
        judged=200,
        wrong=1,
        complaints=("version 7, tight: count 1, not 2",),
        versions=22,
        server_cpu=0.5,
        generator_cpu=0.1,
        server_mib=100,
        kib_an_answer=8,
        writing=writing,
    )
    report = ServingReport(
        options={"rows": 1_000_000, "repeats": 3, "warm_up": 5.0},
        machine={},
        pinned=True,
        ceiling=Ceiling(rate=4_000, p99_ms=1.5, cpu=0.6),
        steps=(step,),
        runs=(step,),
    )
    assert not report.clean
    console = Console(width=160, record=True)
    console.print(serving_tables(report))
    text = console.export_text()
    for said in (
        "1,000,000 rows",
        "3.2",
        "1 of 200",
        "best of 3",
        "2 swaps",
        "4,000",
        "version 7",
        "77.5",
        "1.5% of the answers",
        "2.2 s before",
    ):
        assert said in text
    assert json.loads(report.model_dump_json())["steps"][0]["asked"] == 100
