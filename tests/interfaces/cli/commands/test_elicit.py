"""`concede elicit` from the outside: answers from a file, a profile kept and used again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import CARS
from concede.interfaces.cli.main import run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "cars.csv").write_text(CARS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


ASKED = ("elicit", "--catalog", "cars.csv", "--offline", "--format", "json")


def test_what_is_asked_kept_and_repaired(folder: Path, capsys: pytest.CaptureFixture[str]):
    answers = {"fuel": "regular", "Year": ["hmm", "2014 or later"], "MSRP": "at most 40000"}
    (folder / "a.json").write_text(json.dumps(answers))
    code = run((*ASKED, "--answers", "a.json", "--questions", "5", "--save", "profile.json"))
    found = json.loads(capsys.readouterr().out)
    assert code in (0, 1)
    assert found["stopped_by"] in ("gain", "questions", "columns")
    assert all(question["gain"] > 0 for question in found["asked"])
    columns = [question["column"] for question in found["asked"]]
    assert len(set(columns)) == len(columns) <= 5
    wished = {wish["constraint"]["column"] for wish in found["profile"]["wishes"]}
    assert wished <= set(columns) & set(answers)
    assert wished
    code = run(("repair", "--catalog", "cars.csv", "--profile", "profile.json", "--format", "json"))
    repaired = json.loads(capsys.readouterr().out)
    assert {constraint["column"] for constraint in repaired["constraints"]} == wished


def test_a_base_is_not_asked_about(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "a.json").write_text("{}")
    assert run((*ASKED, "--base", "Make = 'Lexus'", "--answers", "a.json")) == 0
    found = json.loads(capsys.readouterr().out)
    assert "Make" not in {question["column"] for question in found["asked"]}
    assert found["profile"] == {"wishes": []}


@pytest.mark.parametrize(
    ("text", "code"),
    [("[", 3), ("[]", 3), ('{"Yeer": "2014"}', 2), ('{"Year": 3}', 3), ('{"Year": ["a"]}', 3)],
)
def test_bad_answers_are_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, code: int
):
    (folder / "a.json").write_text(text)
    assert run((*ASKED, "--answers", "a.json")) == code
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_a_profile_that_fits_nothing_says_what_is_left_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
):
    wish = {"constraint": {"column": "berths", "op": ">=", "value": 4}, "said": "four berths"}
    (folder / "p.json").write_text(json.dumps({"wishes": [wish]}))
    assert run(("repair", "--catalog", "cars.csv", "--profile", "p.json")) == 2
    assert "berths" in capsys.readouterr().err
