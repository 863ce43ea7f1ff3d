"""A run goes on after a stop and repeats nothing; the same data give the same bytes but times."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from concede.bench.reproduce import pool
from concede.bench.reproduce.outputs import HEADLINE, LEADERBOARD, write_outputs
from concede.bench.reproduce.pool import Pool
from concede.bench.reproduce.report import Report
from concede.bench.reproduce.row import Figure, Row
from concede.bench.reproduce.run import NO_DATA, ONLY, QUICK, Options, reproduce
from concede.bench.reproduce.stages.registry import STAGES, chosen
from concede.catalogs.errors import LimitError, QueryError, UnreadableFile

ONLY_SHORT = ("mapsat-published", "benyfits-counts", "clarq-judge")
"""Parts that end within a second."""


@pytest.fixture(scope="module")
def first(shared_data: Path, tmp_path_factory) -> tuple[Options, Report]:
    out = tmp_path_factory.mktemp("out")
    options = Options(shared_data, out, quick=True, only=ONLY_SHORT)
    report = reproduce(options)
    write_outputs(out, report)
    return options, report


def kept(out: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in (out / "stages").glob("*.json")}


def test_the_parts_that_were_asked_for_are_finished(first):
    options, report = first
    assert set(kept(options.out)) == {f"{name}.json" for name in ONLY_SHORT}
    assert set(report.times["stages"]) == set(ONLY_SHORT)
    [row] = [row for row in report.rows if row.cell == "Total, Positive Count"][:1]
    assert (row.printed, row.recomputed.value, row.comparable) == (146, 146, True)


def test_what_was_not_run_says_why(first):
    reasons = {row.reason.partition(";")[0] for row in first[1].rows}
    assert {QUICK, ONLY} <= reasons
    assert NO_DATA not in reasons


def test_nothing_finished_is_run_again_and_the_bytes_are_the_same(first, monkeypatch):
    options, report = first
    before = kept(options.out)
    pages = {name: (options.out / name).read_bytes() for name in (HEADLINE, LEADERBOARD)}
    monkeypatch.setattr(pool, "_started", lambda *_: pytest.fail("a part was run again"))
    again = reproduce(options)
    write_outputs(options.out, again)
    assert kept(options.out) == before
    assert {name: (options.out / name).read_bytes() for name in pages} == pages
    assert again.record() | {"seconds": 0} == report.record() | {"seconds": 0}


def test_another_folder_gets_the_same_bytes_but_for_times(first, tmp_path: Path):
    options, report = first
    other = reproduce(Options(options.data, tmp_path, quick=True, only=ONLY_SHORT, workers=1))
    untimed = {"seconds": 0, "times": 0}
    assert json.dumps(other.record() | untimed) == json.dumps(report.record() | untimed)


def test_a_torn_part_is_run_again(first):
    options, report = first
    path = options.out / "stages" / "clarq-judge.json"
    path.write_text(path.read_text()[:40])
    before = kept(options.out)
    again = reproduce(options)
    after = kept(options.out)
    assert {name for name in after if after[name] != before[name]} == {"clarq-judge.json"}
    assert [row.record() for row in again.rows] == [row.record() for row in report.rows]


def test_killed_at_any_moment_it_goes_on_from_there(shared_data: Path, tmp_path: Path):
    only = ("mapsat-published", "clarq-judge", "apec-blind-critical", "benyfits-counts")
    command = [sys.executable, "-m", "concede", "bench", "reproduce", "--quick", "--workers", "1",
               "--data", str(shared_data), "--out", str(tmp_path),
               "--only", ",".join(only)]  # fmt: skip
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while run.poll() is None and not kept(tmp_path):
        time.sleep(0.02)
    run.send_signal(signal.SIGKILL)
    run.wait()
    # The part that was under way ends by itself, or keeps what it has found.
    before = kept(tmp_path)
    assert before
    reproduce(Options(shared_data, tmp_path, quick=True, only=only))
    after = kept(tmp_path)
    assert set(after) == {f"{name}.json" for name in only}
    assert {name: after[name] for name in before} == before


def test_rows_of_other_runs_join_their_tables(first):
    options, _ = first
    row = Row("APEC-Travel", "Table 2", "planner on a model, Total", ours=Figure(13.0), reason="x")
    report = reproduce(options, more=[row])
    assert report.documents["APEC-Travel"]["Table 2"][-1] == row


def test_a_part_that_breaks_off_is_said_and_the_others_stay(first, monkeypatch):
    monkeypatch.setattr(pool, "_work", os.abort)
    running = Pool(1)
    job = pool.Job("mapsat-published", None, None, "mark")  # type: ignore[arg-type]
    with pytest.raises(LimitError, match="mapsat-published broke off"):
        running.run([job, job], {"mapsat-published": False}, lambda done, steps: None)


def test_half_a_download_is_found_before_anything_runs(shared_data: Path, tmp_path: Path):
    data = tmp_path / "data"
    (data / "clarq").mkdir(parents=True)
    whole = (shared_data / "clarq" / "judge_pairs.jsonl.gz").read_bytes()
    (data / "clarq" / "judge_pairs.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UnreadableFile, match="judge_pairs"):
        reproduce(Options(data, tmp_path / "out", only=("clarq-judge",)))
    assert kept(tmp_path / "out") == {}


def test_optional_data_that_is_not_there_is_said(tmp_path: Path):
    data = tmp_path / "data"
    data.mkdir()
    report = reproduce(Options(data, tmp_path / "out", only=("understand-conversations",)))
    reasons = {row.reason for row in report.rows if row.document == "Schema-Guided Dialogue"}
    assert reasons == {NO_DATA}


def test_parts_are_named_whole_or_by_how_they_begin():
    names = {stage.name for stage in chosen(["aware-us-offline", "mapsat-published"], quick=True)}
    assert "mapsat-published" in names
    assert len(names) == 5
    with pytest.raises(QueryError, match="no benchmark 'awar'"):
        chosen(["awar"], quick=False)


def test_what_measures_time_comes_last_and_quick_leaves_out_what_is_long():
    whole, quick = ([stage.name for stage in chosen([], quick=each)] for each in (False, True))
    assert set(whole) == set(STAGES)
    assert whole[-1] == quick[-1] == "throughput"
    assert "clarq-seekers-apart" in whole
    assert "clarq-seekers-apart" not in quick
