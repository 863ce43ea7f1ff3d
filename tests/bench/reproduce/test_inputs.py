"""Data that is missing or was cut short is found before anything runs, and named."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from concede.bench.reproduce.inputs import check_input, check_inputs
from concede.bench.reproduce.stage import Input, Stage
from concede.catalogs.errors import UnreadableFile

LINES = b'{"a": 1}\n' * 5_000


def write(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_whole_files_pass(tmp_path: Path):
    write(tmp_path / "x.jsonl.gz", gzip.compress(LINES))
    write(tmp_path / "x.jsonl", LINES.rstrip())
    write(tmp_path / "x.json", b"[1]")
    for name in ("x.jsonl.gz", "x.jsonl"):
        check_input(tmp_path, Input(name, 5_000))
    check_input(tmp_path, Input("x.json"))


@pytest.mark.parametrize("keep", [10, 40, 60])
def test_an_archive_that_ends_too_early(tmp_path: Path, keep: int):
    whole = gzip.compress(LINES)
    write(tmp_path / "x.jsonl.gz", whole[:keep])
    with pytest.raises(UnreadableFile, match=r"x\.jsonl\.gz"):
        check_input(tmp_path, Input("x.jsonl.gz"))


def test_a_file_of_fewer_records(tmp_path: Path):
    write(tmp_path / "x.jsonl", LINES[: len(LINES) // 2])
    with pytest.raises(UnreadableFile, match="2,500 of 5,000 records"):
        check_input(tmp_path, Input("x.jsonl", 5_000))


def test_json_that_ends_too_early(tmp_path: Path):
    write(tmp_path / "x.json", b'{"a": [1, ')
    with pytest.raises(UnreadableFile, match="ends too early"):
        check_input(tmp_path, Input("x.json"))


def test_missing_files_and_folders(tmp_path: Path):
    stage = Stage("one", lambda context: {}, (Input("some/x.jsonl"),), "concede")
    with pytest.raises(UnreadableFile, match="No such file") as raised:
        check_inputs(tmp_path, [stage])
    assert raised.value.exit_code == 3
    with pytest.raises(UnreadableFile, match="no such folder"):
        check_inputs(tmp_path / "nowhere", [stage])
