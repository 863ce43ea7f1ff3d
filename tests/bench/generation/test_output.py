"""Files are whole or not there."""

from __future__ import annotations

import json
import os

import pytest

from concede.bench.generation.output import write_records, written
from concede.catalogs.errors import CatalogError

RECORDS = [{"a": "ü", "b": [1, 2.5, None]}]


def test_a_file_is_replaced_as_a_whole(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("old")
    write_records(path, RECORDS)
    assert json.loads(path.read_text("utf-8")) == RECORDS
    assert path.read_text("utf-8") == written(RECORDS)
    assert os.listdir(tmp_path) == ["out.json"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    write_records(tmp_path / "link.json", RECORDS)
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text("utf-8")) == RECORDS


def test_what_cannot_be_json_leaves_the_old_file(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("old")
    with pytest.raises(ValueError, match="JSON"):
        write_records(path, [{"a": float("nan")}])
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.json"]


@pytest.mark.parametrize(
    ("name", "told"), [(".", "it is a folder"), ("no/such.json", "no such folder"), ("a\0b", "")]
)
def test_a_place_that_cannot_be_written_is_named(name, told, tmp_path):
    with pytest.raises(CatalogError, match="cannot write") as caught:
        write_records(f"{tmp_path}/{name}", RECORDS)
    assert told in str(caught.value)
    assert caught.value.exit_code == 3
