"""`concede bench mapsat --published`: figures, tables, and its complaints."""

from __future__ import annotations

import json

import pytest

from mapsat_data import RUNS, changed, write_data

BENCH = ("bench", "mapsat")
KEYS = "id model ECR IISR AR TS IFS Eff SES CEI turns Eff_recorded differs".split()


def test_published_runs(concede, folder):
    write_data(folder / "data")
    outcome = concede(*BENCH, "--data", "data", "--published", "--format", "json")
    assert (outcome.code, outcome.err) == (0, "")
    assert [list(run) for run in outcome.json["runs"]] == [KEYS] * 3
    again = concede(*BENCH, "--data", "data", "--published", "--format", "json")
    assert again.out == outcome.out
    table = concede(*BENCH, "--data", "data", "--published").out
    assert "3 of 3 runs come out as stored" in table
    assert "two less one" in table


def test_the_judge_beside_people(concede, folder):
    write_data(folder / "data")
    said = {"id": "t-1", "model": "one", "scores": {"ECR": 0.5, "IISR": 0.8}}
    (folder / "people.jsonl").write_text(json.dumps(said))
    given = (*BENCH, "--data", "data", "--published", "--human", "people.jsonl")
    people = concede(*given, "--format", "json").json["people"]
    assert people["ECR"]["MAE"] == 0
    assert people["IISR"]["within_0.05"]["share"] == 1
    assert "The judge beside people" in concede(*given).out


@pytest.mark.parametrize("arguments", [(), ("--published",), ("--published", "--data", "nowhere")])
def test_bad_options_are_one_line(concede, arguments):
    outcome = concede(*BENCH, *arguments)
    assert outcome.code in (2, 3)
    assert (outcome.out, outcome.err.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    ("place", "value"), [("details.IISR.rubrics.0.weight", -1.0), ("metrics.Eff", "half")]
)
def test_runs_that_cannot_be_are_one_line(concede, folder, place, value):
    write_data(folder / "data", runs=[changed(RUNS[0], place, value)])
    outcome = concede(*BENCH, "--data", "data", "--published", "--format", "json")
    assert outcome.code == 3
    assert (outcome.out, outcome.err.count("\n")) == ("", 1)
    assert "line 1" in outcome.err
