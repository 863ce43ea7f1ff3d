"""A dictionary of what people call columns and values: read, checked, and kept by a catalog."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import BadConstraint, UnknownColumn, UnreadableFile
from concede.catalogs.query.dictionary import ColumnWords, read_dictionary

WORDS: dict[str, Any] = {
    "WT_KG": {"label": "weight", "unit": "kg", "synonyms": ["how heavy"]},
    "body": {"values": {"SUV": ["off-roader", "4x4"]}},
}


def written(folder: Path) -> Path:
    path = folder / "a.csv"
    path.write_text("wt_kg,body\n1200,SUV\n900,Hatch\n")
    return path


def test_a_catalog_keeps_it_by_its_own_spelling(tmp_path: Path) -> None:
    path = tmp_path / "words.json"
    path.write_text(json.dumps(WORDS))
    for source in (path, str(path), WORDS):
        catalog = Catalog.open(written(tmp_path), dictionary=source)
        assert catalog.dictionary["wt_kg"].phrases == ("weight", "how heavy")
        assert catalog.dictionary["body"].values == {"SUV": ("off-roader", "4x4")}
        assert catalog.profile("wt_kg").unit == "kg"
    catalog.reload()
    assert catalog.dictionary["wt_kg"].label == "weight"


def test_without_one_there_are_no_words(tmp_path: Path) -> None:
    assert Catalog.open(written(tmp_path)).dictionary == {}


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("[1]", UnreadableFile),
        ("{", UnreadableFile),
        ('{"colour": {}}', UnknownColumn),
        ('{"body": {"name": "x"}}', BadConstraint),
        ('{"body": {"label": 3}}', BadConstraint),
        (json.dumps({"body": {"label": "x" * 201}}), BadConstraint),
        (json.dumps({"body": {"synonyms": ["x"] * 1001}}), BadConstraint),
    ],
)
def test_what_is_none_is_refused(tmp_path: Path, content: str, error: type[Exception]) -> None:
    path = tmp_path / "words.json"
    path.write_text(content)
    with pytest.raises(error):
        Catalog.open(written(tmp_path), dictionary=path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="No such file"):
        read_dictionary(tmp_path / "none.json")


def test_entries_may_be_made_already() -> None:
    words = ColumnWords(label="weight")
    assert read_dictionary({"wt_kg": words}) == {"wt_kg": words}
