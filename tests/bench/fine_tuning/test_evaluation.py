"""Trained models beside print: figures by hand, paired differences, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from aware_us_outcomes import outcome
from concede import QueryError, UnreadableFile
from concede.bench.fine_tuning.evaluation import (
    EvaluatedCell,
    paired_table,
    read_predictions,
    table_2,
    table_5,
)
from concede.interfaces.cli.main import main


def _cells(cells: list[EvaluatedCell]) -> dict[str, EvaluatedCell]:
    return {cell.cell: cell for cell in cells}


def _episodes(model: str, method: str, right: int):
    labels = {"setting": "test25", "model": model, "method": method}
    return [
        replace(outcome(number, relaxed=("Year",) if number < right else ("MSRP",)), labels=labels)
        for number in range(4)
    ]


def test_table_5_has_each_model_by_each_method_and_what_training_gains():
    outcomes = [*_episodes("base", "local", 1), *_episodes("tuned", "local", 3)]
    cells = _cells(table_5(outcomes, "base", "tuned"))
    assert cells["Relax match, Local Tr."].ours == 75.0
    assert cells["Relax match, Local Tr."].printed == 52.0
    assert cells["Relax match, Local Base."].ours == 25.0
    gain = cells["Relax match, Local Tr. less Base."]
    assert (gain.printed, gain.ours, gain.n) == (8.0, 50.0, 4)
    assert gain.low is not None
    assert gain.low <= 50.0
    assert cells["N, Local Tr."].ours == 4
    # Nothing was run with global weights: the cells are there, and say so.
    assert (cells["Relax match, Global Tr."].ours, cells["N, Global Tr."].n) == (None, 0)


def test_a_model_nobody_ran_is_refused():
    with pytest.raises(QueryError, match="no episode of"):
        table_5(_episodes("base", "local", 1), "neither", "nor")


def _predicted(path: Path, shift: float, names: str = "abcd") -> Path:
    records = [
        {"id": name, "rounds": 10, "overall": 0.2 + shift, "critical": 0.4, "plan_priority": 4,
         "proactive": 4, "clarification": 4, "r_a": 12, "profile": {}}
        for name in names
    ]  # fmt: skip
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_agents_stand_beside_their_printed_row_and_the_first_agent(tmp_path):
    paths = [_predicted(tmp_path / "a.jsonl", 0.0), _predicted(tmp_path / "b.jsonl", 0.1)]
    names = ("APEC-Travel-SFT", "ours")
    agents = [read_predictions(*pair) for pair in zip(names, paths, strict=True)]
    cells = _cells(table_2(agents))
    assert cells["APEC-Travel-SFT, Accuracy Overall"].printed == 0.261
    assert cells["APEC-Travel-SFT, Efficiency Overall"].ours == pytest.approx(0.02)
    assert cells["ours, Total"].printed is None
    apart = cells["ours less APEC-Travel-SFT, Accuracy Overall"]
    assert apart.ours == pytest.approx(0.1)
    # Every traveller is the same 0.1 apart, so that pairing leaves no spread.
    assert (apart.low, apart.high) == (pytest.approx(0.1), pytest.approx(0.1))


def test_pairs_are_of_the_same_travellers(tmp_path):
    first = read_predictions("fixed", _predicted(tmp_path / "a.jsonl", 0.0))
    second = read_predictions("recursive", _predicted(tmp_path / "b.jsonl", 0.2, "bcdx"))
    cells = _cells(paired_table(4, first, second))
    assert cells["Accuracy Overall, Fixed"].printed == 0.279
    apart = cells["Accuracy Overall, Recursive less Fixed"]
    assert (apart.printed, apart.n) == (0.041, 3)
    strangers = read_predictions("other", _predicted(tmp_path / "c.jsonl", 0.2, "xyz"))
    with pytest.raises(QueryError, match="no traveller in common"):
        paired_table(4, first, strangers)


def test_the_last_iteration_of_a_folder_is_read(tmp_path):
    for number, shift in ((2, 0.1), (10, 0.3)):
        (tmp_path / f"iteration-{number}").mkdir()
        _predicted(tmp_path / f"iteration-{number}" / "predictions.jsonl", shift)
    found = read_predictions("all", tmp_path)
    assert found.figures["overall"][0] == pytest.approx(0.5)
    with pytest.raises(UnreadableFile, match="no iteration"):
        read_predictions("none", _empty(tmp_path))


def _empty(folder: Path) -> Path:
    (folder / "empty").mkdir()
    return folder / "empty"


def _exit_code(*given: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["train", "evaluate", *given])
    return int(ended.value.code or 0)


def test_the_command_line_says_what_misses(tmp_path, capsys):
    path = str(_predicted(tmp_path / "a.jsonl", 0.0))
    assert _exit_code("--agent", f"ours={path}", "--format", "json") == 0
    cells = json.loads(capsys.readouterr().out)
    assert {cell["table"] for cell in cells} == {"Table 2"}
    for given in ([], ["--fixed", path], ["--run", path], ["--agent", path]):
        assert _exit_code(*given) == 2
        assert len(capsys.readouterr().err.strip().splitlines()) <= 2
    torn = tmp_path / "torn.jsonl"
    torn.write_text('{"id": 1}\n')
    assert _exit_code("--agent", f"x={torn}") == 3
    assert "line 1" in capsys.readouterr().err
