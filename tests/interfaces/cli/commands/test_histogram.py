"""`concede histogram` and `concede diagnose --histogram`."""

from __future__ import annotations

import json

import pytest

from command_line import Outcome
from concede.interfaces.cli.main import run
from parquet_parts import keyed, write_parts
from random_problems import table

ASKED = {
    "base": [{"column": "flag", "op": "==", "value": True}],
    "constraints": [
        {"column": "number", "op": ">=", "value": 2},
        {"column": "name", "op": "==", "value": "a"},
    ],
}
COUNT = ("histogram", "--catalog", "lake", "--key", "id", "--output", "h.parquet")


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    """Run the command line in a folder with a lake of three partitions and a query."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lake").mkdir()
    write_parts(tmp_path / "lake", keyed(table(40)[1]), [10, 20])
    (tmp_path / "q.json").write_text(json.dumps(ASKED))

    def called(*arguments: str) -> Outcome:
        return Outcome(run(arguments), *capsys.readouterr())

    return called


def test_counts_once_and_diagnoses_from_what_was_stored(call):
    counted = call(*COUNT, "--query", "q.json", "--by-file")
    rows = sum(row["flag"] is True for row in table(40)[1])
    said = f"h.parquet: {rows} rows; partitions: 3 read, 0 kept, 0 removed\n"
    assert counted == Outcome(0, said, "")
    again = call(*COUNT, "--query", "q.json", "--by-file")
    assert again.out.endswith("partitions: 0 read, 3 kept, 0 removed\n")
    told = call("diagnose", "--histogram", "h.parquet", "--format", "json")
    assert (told.code, told.err) == (0, "")
    assert told.json["base_rows"] == rows
    assert told.json["catalog_version"] is None
    assert [each["column"] for each in told.json["constraints"]] == ["number", "name"]
    line = call("diagnose", "--histogram", "h.parquet", "--format", "ndjson")
    assert line.json == told.json
    assert call("diagnose", "--histogram", "h.parquet").code == 0


def test_takes_conditions_in_sql_and_keeps_the_file_in_the_folder(call):
    where = ("--where", "number >= 2 AND name = 'a'", "--base", "flag")
    output = ("--output", "lake/h.parquet")
    for read in (3, 0):
        counted = call(*COUNT[:-2], *output, *where, "--by-file")
        assert f"partitions: {read} read" in counted.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((*COUNT, "--query", "q.json"), 2, "add --by-file"),
        ((*COUNT, "--by-file"), 2, "give --query FILE"),
        ((*COUNT, "--by-file", "--query", "q.json", "--where", "flag"), 2, "--query and --where"),
        ((*COUNT[:4], "nmae", *COUNT[5:], "--by-file", "--query", "q.json"), 2, "'name'"),
        (("diagnose", "--histogram", "none.parquet"), 3, "no such file"),
        (("diagnose", "--histogram", "q.json"), 3, "cannot read catalog"),
        (("diagnose", "--histogram", "h", "--catalog", "lake"), 2, "--catalog with --histogram"),
        (("diagnose", "--histogram", "h", "--hard", "name"), 2, "--hard with --histogram"),
    ],
)
def test_says_in_one_line_what_is_wrong(call, arguments, code, said):
    outcome = call(*arguments)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (code, "", 1)
    assert said in outcome.err
