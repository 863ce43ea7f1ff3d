"""`concede bench reproduce` as it is called: JSON, and one line with code 3 for what fails."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from concede.interfaces.cli.main import run

KEYS = {"document", "table", "cell", "printed", "recomputed", "ours", "low", "high", "comparable",
        "reason", "command"}  # fmt: skip


def called(data: Path, out: Path, *more: str) -> int:
    return run(["bench", "reproduce", "--data", str(data), "--out", str(out), *more])


def test_json_has_rows_of_all_documents_and_seconds(shared_data, tmp_path, capsys):
    assert called(shared_data, tmp_path, "--only", "mapsat-published", "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"quick", "documents", "rows", "seconds", "times"}
    assert all(set(row) == KEYS for row in found["rows"])
    assert len({row["document"] for row in found["rows"]}) == 8
    names = {path.name for path in tmp_path.iterdir() if path.is_file()}
    assert {"index.html", "leaderboard.md", "rows.json", "headline.json"} <= names


def test_tables_for_people(shared_data, tmp_path, capsys):
    assert called(shared_data, tmp_path, "--only", "mapsat-published") == 0
    assert "Five documents at work" in capsys.readouterr().out


def test_a_missing_folder_is_one_line_and_code_3(tmp_path, capsys):
    assert called(tmp_path / "nowhere", tmp_path / "out", "--quick") == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "no such folder" in captured.err


def test_half_of_the_data_is_one_line_and_code_3(tmp_path, capsys):
    (tmp_path / "clarq").mkdir()
    assert called(tmp_path, tmp_path / "out", "--only", "clarq-judge") == 3
    assert capsys.readouterr().err.count("\n") == 1


def test_no_room_is_one_line_and_code_3_and_what_was_finished_stays(shared_data, tmp_path):
    """A limit on the size of files stands for a disk that is full."""
    assert called(shared_data, tmp_path, "--only", "clarq-judge") == 0
    command = [sys.executable, "-m", "concede", "bench", "reproduce", "--data", str(shared_data),
               "--out", str(tmp_path), "--only", "mapsat-published"]  # fmt: skip

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))

    ended = subprocess.run(command, capture_output=True, text=True, preexec_fn=little_room)
    assert (ended.returncode, ended.stdout) == (3, "")
    assert ended.stderr.count("\n") == 1
    assert "cannot write" in ended.stderr
    left = {path.name for path in (tmp_path / "stages").iterdir()}
    assert left == {"clarq-judge.json"}


@pytest.mark.parametrize("option", [["--quick"], ["--only", "apec"]])
def test_a_page_is_filled_by_the_whole_run_alone(tmp_path, option, capsys):
    assert called(tmp_path, tmp_path / "out", "--readme", "README.md", *option) == 2
    assert "whole run" in capsys.readouterr().err


def test_a_page_without_markers_is_said_before_anything_runs(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text("# Nothing here\n")
    assert called(tmp_path, tmp_path / "out", "--readme", str(page)) == 2
    assert "no markers" in capsys.readouterr().err
