"""What is finished is kept whole, known by what it depends on, and never half written."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from concede.bench.reproduce.stage import Context, Input, Stage
from concede.bench.reproduce.store import Store, fingerprint, locked, write_whole
from concede.catalogs.errors import CatalogError


def a_stage(**more) -> Stage:
    return Stage("one", lambda context: {}, (Input("some.jsonl"),), "concede", **more)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "some.jsonl").write_text("{}\n")
    return folder


def test_what_was_written_is_read_under_its_mark_alone(tmp_path: Path):
    store = Store(tmp_path)
    store.write("one", "mark", {"rows": [1]}, 2.5)
    kept = store.read("one", "mark")
    assert kept is not None
    assert (kept["found"], kept["seconds"]) == ({"rows": [1]}, 2.5)
    assert store.read("one", "other") is None
    assert store.read("two", "mark") is None


@pytest.mark.parametrize("torn", ["", "{", "[]", "null", '{"stage": "one"}'])
def test_a_torn_file_is_as_good_as_none(tmp_path: Path, torn: str):
    store = Store(tmp_path)
    store.write("one", "mark", {}, 0.0)
    store.path("one").write_text(torn)
    assert store.read("one", "mark") is None


def test_the_mark_changes_with_the_data_and_with_quick_where_that_does_less(data: Path):
    whole, quick = (Context(data, quick=each) for each in (False, True))
    before = fingerprint(a_stage(), whole)
    assert before == fingerprint(a_stage(), whole) == fingerprint(a_stage(), quick)
    smaller = a_stage(smaller=True)
    assert fingerprint(smaller, whole) != fingerprint(smaller, quick)
    (data / "some.jsonl").write_text("{}\n{}\n")
    assert before != fingerprint(a_stage(), whole)


def test_a_full_disk_is_one_line_and_what_was_there_stays(tmp_path: Path, monkeypatch):
    path = tmp_path / "stages" / "one.json"
    write_whole(path, "before")

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CatalogError, match="No space left on device") as raised:
        write_whole(path, "after")
    assert "\n" not in str(raised.value)
    assert raised.value.exit_code == 3
    assert path.read_text() == "before"
    assert [each.name for each in path.parent.iterdir()] == ["one.json"]


def test_a_folder_has_one_run_at_a_time(tmp_path: Path):
    with locked(tmp_path), pytest.raises(CatalogError, match="another run"), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass


def test_what_a_killed_run_left_half_written_is_swept(tmp_path: Path):
    (tmp_path / "stages").mkdir()
    half = tmp_path / "stages" / ".one.json.123"
    half.write_text("{")
    with locked(tmp_path):
        assert not half.exists()


def test_a_folder_that_is_a_file_is_said(tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(CatalogError, match="cannot write"), locked(file):
        pass
