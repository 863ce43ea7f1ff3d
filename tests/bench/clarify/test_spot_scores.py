"""Marked spots that are noticed, and blurred queries with questions and without."""

import json

import pytest

from concede.bench.clarify.blurred import run_blurred
from concede.bench.clarify.spot_scores import DEVELOPMENT, score_spots
from concede.catalogs.errors import UnreadableFile


def test_most_spots_are_noticed_and_clear_requests_left_alone():
    record = score_spots(DEVELOPMENT).record()
    assert record["noticed"]["share"] >= 0.75
    assert record["clear_questioned"]["share"] <= 0.1


def folder_of(tmp_path, *records):
    (tmp_path / "catalogs").mkdir()
    (tmp_path / "catalogs" / "boats.csv").write_text("maker,price\nA,1\nB,2\n", encoding="utf-8")
    lines = "\n".join(map(json.dumps, records))
    (tmp_path / "requests.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def test_spots_are_verbatim(tmp_path):
    spot = {"said": "cheep", "kind": "vague"}
    folder = folder_of(tmp_path, {"catalog": "boats", "text": "cheap", "spots": [spot]})
    with pytest.raises(UnreadableFile, match="cheep"):
        score_spots(folder)


def test_nothing_to_score(tmp_path):
    record = score_spots(folder_of(tmp_path)).record()
    assert record["noticed"]["share"] is None
    assert record["questions_per_text"] is None


def test_questions_mend_blurred_wishes(tmp_path):
    silent, asking = run_blurred(20, 1, tmp_path)
    assert silent.questions == 0
    assert asking.questions > 0
    assert asking.right > silent.right
    assert silent.queries == asking.queries == 20


def test_a_catalog_may_end_in_csv_and_clear_be_left_out(tmp_path):
    spot = {"said": "cheap", "kind": "vague", "columns": ["price"]}
    clear = {"catalog": "boats.csv", "text": "maker A"}
    folder = folder_of(tmp_path, clear, clear | {"text": "cheap", "spots": [spot]})
    scores = score_spots(folder)
    assert (scores.texts, scores.clear, scores.totals[2]) == (2, 1, 1)
